package dev.baton;

import java.nio.ByteBuffer;

/**
 * Space for one message in the transport's memory, which the caller fills in place and then commits or aborts. Indices count
 * bytes from the start of the payload. Bytes that are not written are undefined. A claim is a reused view: after commit or
 * abort, or when its chain has failed or was closed, it throws {@link IllegalStateException} when it is used, and nothing is sent. Confined to the thread that claimed.
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
     * @param index index of the byte
     * @param value all 8 bits
     * @return this claim
     */
    Claim putByte(int index, byte value);

    /**
     * Writes a number in 2 bytes, little endian.
     *
     * @param index index of the first byte
     * @param value all 16 bits
     * @return this claim
     */
    Claim putShort(int index, short value);

    /**
     * Writes a number in 4 bytes, little endian.
     *
     * @param index index of the first byte
     * @param value all 32 bits
     * @return this claim
     */
    Claim putInt(int index, int value);

    /**
     * Writes a number in 8 bytes, little endian.
     *
     * @param index index of the first byte
     * @param value all 64 bits
     * @return this claim
     */
    Claim putLong(int index, long value);

    /**
     * Writes a number in 8 bytes, as its IEEE 754 bits, little endian.
     *
     * @param index index of the first byte
     * @param value any value, including NaN
     * @return this claim
     */
    Claim putDouble(int index, double value);

    /**
     * Copies {@code count} bytes of {@code source}, beginning at {@code offset}, to {@code index}.
     *
     * @param index index of the first byte written
     * @param source is read before this returns, and not kept
     * @param offset offset of the first byte copied
     * @param count 0 or more
     * @return this claim
     */
    Claim putBytes(int index, byte[] source, int offset, int count);

    /**
     * Copies {@code count} bytes of {@code source}, beginning at {@code offset}, to {@code index}. The position and limit of
     * the source are neither used nor changed.
     *
     * @param index index of the first byte written
     * @param source is read before this returns, and not kept
     * @param offset offset of the first byte copied, counted from the source's index 0
     * @param count 0 or more
     * @return this claim
     */
    Claim putBytes(int index, ByteBuffer source, int offset, int count);

    /**
     * {@return the payload's memory, for encoders that write buffers, such as those of SBE: a view in little-endian order,
     * whose position is the payload's first byte and whose limit is the end of what was claimed} Agrona's flyweights wrap it
     * as {@code buffer.wrap(view, view.position(), view.remaining())}.
     *
     * <p>The memory belongs to the transport: the ring over the Disruptor, the batch for the file over Chronicle, the batch for
     * the producer over Kafka. Baton does not copy it again, except from an inlet over Kafka or the Aeron Archive, whose messages a
     * loop copies into the topic. The view is valid until commit or abort, and empty afterwards. Bytes outside of position
     * and limit must not be written: do not {@code clear()} the view or raise its limit. Each call returns the same buffer with
     * position and limit set again. Allocates nothing after warm-up.
     *
     * @throws IllegalStateException when the claim was committed or aborted
     */
    ByteBuffer payload();

    /**
     * Copies the complete payload of a message to the start of this payload.
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

    /** Discards the message and releases its space. Does nothing after commit or abort. */
    void abort();
}
