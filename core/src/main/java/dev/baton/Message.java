package dev.baton;

import java.nio.ByteBuffer;

/**
 * One message as a service sees it: a read-only view of the transport's memory.
 *
 * <p>Valid until the callback that received it returns; keep copies, not the view. Payload access is bounds-checked and
 * little endian, indices count bytes from the payload's start. Confined to the thread of the callback.
 */
public interface Message {
    /** {@return the name of its topic, with the partition's number behind an '@' where the chain has partitions} */
    String topic();

    /** {@return the partition of the chain that it came through, from 0; -1 when the chain has none} */
    int partition();

    /**
     * {@return the key that its sender gave it, or null: a read-only view from position to limit, valid until the callback
     * returns} Each call returns the same buffer, aimed anew. To keep it, copy it.
     */
    ByteBuffer key();

    /**
     * {@return its W3C trace context, or null: the {@value dev.baton.spi.Extension#TRACE_BYTES} bytes of {@link
     * dev.baton.spi.Extension#TRACE} from position to limit, valid until the callback returns} Each call returns the same
     * buffer, aimed anew. Allocates nothing once warm.
     */
    default ByteBuffer trace() {
        return null;
    }

    /** {@return its place in its topic: 1, 2, 3 ... without gaps} */
    long sequence();

    /** What {@link #originNanos} and {@link #sentNanos} return when the time is not known. */
    long UNKNOWN_TIME = Long.MIN_VALUE;

    /**
     * {@return the sequence of the input that led to this message, in the topic before; 0 at the inlet} Of a message that a
     * tick sent: the last input before the tick. Of one that a source sent: its {@link SourceContext#position} plus one.
     */
    long cause();

    /** {@return whether a tick of the service sent it, and no input} */
    boolean isOfTick();

    /**
     * {@return whether the service has handled it before and its outputs are stored: it comes again because it was held} See
     * {@link Service#holdsInputs}.
     */
    boolean isRedelivered();

    /**
     * {@return when the message was meant to enter the chain, by {@link System#nanoTime}; {@link #UNKNOWN_TIME} when it was
     * stamped in another boot, or on another host} Such stamps cannot be compared.
     */
    long originNanos();

    /**
     * {@return when the message was meant to enter the chain, in nanoseconds since 1970-01-01T00:00Z by the wall clock of the
     * host that sent it; {@link #UNKNOWN_TIME} unless its chain carries that ({@link Deployment#wallClock})}
     */
    long originWallNanos();

    /**
     * {@return when the message was committed to this topic, by {@link System#nanoTime}; {@link #UNKNOWN_TIME} as for {@link
     * #originNanos}} Messages of one batch share a reading of the clock.
     */
    long sentNanos();

    /** {@return the number of services passed since the inlet} */
    int servicesPassed();

    /** {@return the type, chosen by the sender; 0 unless set} */
    int type();

    /** {@return the number of payload bytes} */
    int length();

    /**
     * {@return the byte at an index}
     *
     * @param index 0 to one less than {@link #length}
     */
    byte getByte(int index);

    /**
     * {@return the number in 2 bytes, little endian}
     *
     * @param index of the first byte
     */
    short getShort(int index);

    /**
     * {@return the number in 4 bytes, little endian}
     *
     * @param index of the first byte
     */
    int getInt(int index);

    /**
     * {@return the number in 8 bytes, little endian}
     *
     * @param index of the first byte
     */
    long getLong(int index);

    /**
     * {@return the number whose IEEE 754 bits are in 8 bytes, little endian}
     *
     * @param index of the first byte
     */
    double getDouble(int index);

    /**
     * Copies {@code count} bytes of payload from {@code index} on into {@code target} at {@code offset}.
     *
     * @param index of the first byte copied
     * @param target has room for {@code count} bytes from {@code offset} on
     * @param offset of the first byte written
     * @param count 0 or more
     */
    void getBytes(int index, byte[] target, int offset, int count);

    /**
     * Copies {@code count} bytes of payload from {@code index} on into {@code target} at {@code offset}, wherever its position
     * is; neither position nor limit moves.
     *
     * @param index of the first byte copied
     * @param target has room for {@code count} bytes from {@code offset} on, below its limit
     * @param offset of the first byte written, counted from the target's index 0
     * @param count 0 or more
     */
    void getBytes(int index, ByteBuffer target, int offset, int count);

    /**
     * {@return the payload without a copy, for decoders that read buffers, such as those of SBE: a read-only view in
     * little-endian order, whose position is the payload's first byte and whose limit is its end} Agrona's flyweights wrap it
     * as {@code buffer.wrap(view, view.position(), view.remaining())}.
     *
     * <p>The memory is the transport's: the ring itself over the Disruptor, the batch as it was read from the file over
     * Chronicle, the fetched record over Kafka. It is valid until the callback returns. Each call returns the same buffer,
     * aimed anew; a caller may move its position and limit. Over the Disruptor and Chronicle it allocates nothing once warm,
     * over Kafka a view of each record.
     */
    ByteBuffer payload();
}
