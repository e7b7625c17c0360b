package dev.baton;

import java.nio.ByteBuffer;

/**
 * Room for one message, filled in place and then committed or aborted. Indices count bytes from the payload's start;
 * what is not written is undefined. A claim is a reused view: it is dead after commit or abort and says so. Confined to
 * the thread that claimed.
 */
public interface Claim {
    /** {@return the number of payload bytes that may be written} */
    int maxLength();

    /**
     * Sets the message's type, 0 unless set.
     *
     * @param type any number; {@link Message#type} returns it
     * @return this claim
     */
    Claim type(int type);

    /**
     * Writes one byte.
     *
     * @param index of the byte
     * @param value all 8 bits
     * @return this claim
     */
    Claim putByte(int index, byte value);

    /**
     * Writes a number in 2 bytes, little endian.
     *
     * @param index of the first byte
     * @param value all 16 bits
     * @return this claim
     */
    Claim putShort(int index, short value);

    /**
     * Writes a number in 4 bytes, little endian.
     *
     * @param index of the first byte
     * @param value all 32 bits
     * @return this claim
     */
    Claim putInt(int index, int value);

    /**
     * Writes a number in 8 bytes, little endian.
     *
     * @param index of the first byte
     * @param value all 64 bits
     * @return this claim
     */
    Claim putLong(int index, long value);

    /**
     * Writes a number in 8 bytes, as its IEEE 754 bits, little endian.
     *
     * @param index of the first byte
     * @param value any, NaN included
     * @return this claim
     */
    Claim putDouble(int index, double value);

    /**
     * Copies {@code count} bytes of {@code source} from {@code offset} on to {@code index}.
     *
     * @param index of the first byte written
     * @param source is read before this returns, and not kept
     * @param offset of the first byte copied
     * @param count 0 or more
     * @return this claim
     */
    Claim putBytes(int index, byte[] source, int offset, int count);

    /**
     * Copies {@code count} bytes of {@code source} from {@code offset} on, wherever its position is, to {@code index}; neither
     * position nor limit of the source moves.
     *
     * @param index of the first byte written
     * @param source is read before this returns, and not kept
     * @param offset of the first byte copied, counted from the source's index 0
     * @param count 0 or more
     * @return this claim
     */
    Claim putBytes(int index, ByteBuffer source, int offset, int count);

    /**
     * {@return the payload's memory, for encoders that write buffers, such as those of SBE: a view in little-endian order,
     * whose position is the payload's first byte and whose limit is the end of what was claimed} Agrona's flyweights wrap it
     * as {@code buffer.wrap(view, view.position(), view.remaining())}.
     *
     * <p>The memory is the transport's, and what is written there is not copied again before it leaves: the ring itself over the
     * Disruptor, the batch on its way to the file over Chronicle, to the producer over Kafka. It is valid until commit or abort,
     * and no byte outside of position and limit may be written: do not {@code clear()} the view, nor raise its limit. Each call
     * returns the same buffer, aimed anew. It allocates nothing once warm.
     *
     * @throws IllegalStateException when the claim was committed or aborted
     */
    ByteBuffer payload();

    /**
     * Copies a whole payload to the start of this one.
     *
     * @param source message whose payload is no longer than what was claimed
     * @return this claim
     */
    Claim putPayload(Message source);

    /**
     * Sends the first {@code length} bytes.
     *
     * @param length 0 to {@link #maxLength}
     * @return the sequence of the message in its topic
     */
    long commit(int length);

    /** Sends nothing and gives the room back; on a dead claim it does nothing. */
    void abort();
}
