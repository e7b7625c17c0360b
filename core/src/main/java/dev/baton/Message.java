package dev.baton;

import dev.baton.Source.SourceContext;
import java.nio.ByteBuffer;

/**
 * A message that a service receives: a read-only view of the transport's memory.
 *
 * <p>The view is valid until the callback that received it returns; to keep a message, copy it. If it is used
 * later, it may show the next message of the batch, and after the batch its methods throw {@link IllegalStateException}. Access to
 * the payload is bounds-checked and little-endian, and indices count bytes from the start of the payload. Confined to the thread
 * of the callback.
 */
public interface Message {
    /** {@return the name of its topic; if the chain has partitions, followed by '@' and the partition's number} */
    String topic();

    /** {@return the partition of the chain, from 0; -1 if the chain has no partitions} */
    int partition();

    /**
     * {@return the key that its sender gave it, or null: a read-only view from position to limit, valid until the callback
     * returns} Each call returns the same buffer with position and limit set again. To keep the key, copy it.
     */
    ByteBuffer key();

    /**
     * {@return its W3C trace context, or null: the {@value dev.baton.spi.Extension#TRACE_BYTES} bytes of {@link
     * dev.baton.spi.Extension#TRACE} from position to limit, valid until the callback returns} Each call returns the same
     * buffer with position and limit set again. Allocates nothing after warm-up.
     */
    default ByteBuffer trace() {
        return null;
    }

    /** {@return its position in its topic: 1, 2, 3 ... without gaps} */
    long sequence();

    /** The value that {@link #originNanos} and {@link #sentNanos} return if the time is not known. */
    long UNKNOWN_TIME = Long.MIN_VALUE;

    /**
     * {@return the sequence of the input that led to this message, in the preceding topic; 0 at the inlet} For a message that a
     * tick sent, it is the last input before the tick. For a message that a source sent, it is {@link SourceContext#position}
     * plus one.
     */
    long cause();

    /** {@return whether it was sent by a tick of the service, and not for an input} */
    boolean isOfTick();

    /**
     * {@return whether the service has handled it before and its outputs are stored; it is delivered again because it was held}
     * See {@link Service#holdsInputs}.
     */
    boolean isRedelivered();

    /**
     * {@return the time at which the message was intended to enter the chain, as {@link System#nanoTime}; {@link #UNKNOWN_TIME}
     * if the timestamp is from another boot or another host} Such timestamps are not comparable.
     */
    long originNanos();

    /**
     * {@return the time at which the message was intended to enter the chain, in nanoseconds since 1970-01-01T00:00Z by the
     * wall clock of the host that sent it; {@link #UNKNOWN_TIME} unless its chain sets {@link Deployment#wallClock}}
     */
    long originWallNanos();

    /**
     * {@return the time at which the message was committed to this topic, as {@link System#nanoTime}; {@link #UNKNOWN_TIME} as
     * for {@link #originNanos}} Messages of one batch share one reading of the clock.
     */
    long sentNanos();

    /** {@return the number of services that the message has passed since the inlet} */
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
     * @param index index of the first byte
     */
    short getShort(int index);

    /**
     * {@return the number in 4 bytes, little endian}
     *
     * @param index index of the first byte
     */
    int getInt(int index);

    /**
     * {@return the number in 8 bytes, little endian}
     *
     * @param index index of the first byte
     */
    long getLong(int index);

    /**
     * {@return the number whose IEEE 754 bits are in 8 bytes, little endian}
     *
     * @param index index of the first byte
     */
    double getDouble(int index);

    /**
     * Copies {@code count} bytes of the payload, beginning at {@code index}, into {@code target} at {@code offset}.
     *
     * @param index index of the first byte copied
     * @param target target, which has room for {@code count} bytes from {@code offset} on
     * @param offset offset of the first byte written
     * @param count 0 or more
     */
    void getBytes(int index, byte[] target, int offset, int count);

    /**
     * Copies {@code count} bytes of the payload, beginning at {@code index}, into {@code target} at {@code offset}. The
     * position and limit of the target are neither used nor changed.
     *
     * @param index index of the first byte copied
     * @param target target, which has room for {@code count} bytes from {@code offset} on, below its limit
     * @param offset offset of the first byte written, counted from the target's index 0
     * @param count 0 or more
     */
    void getBytes(int index, ByteBuffer target, int offset, int count);

    /**
     * {@return the payload without a copy, for decoders that read buffers, such as those of SBE: a read-only view in
     * little-endian order, whose position is the payload's first byte and whose limit is its end} Agrona's flyweights wrap it
     * as {@code buffer.wrap(view, view.position(), view.remaining())}.
     *
     * <p>The memory belongs to the transport: the ring over the Disruptor, the batch as read from the file over Chronicle, the
     * fetched record over Kafka. The view is valid until the callback returns, and empty after the batch. Each call returns the
     * same buffer with position and limit set again; the caller may move them. After warm-up it allocates nothing over the Disruptor
     * and Chronicle; over Kafka it allocates a view for each record.
     */
    ByteBuffer payload();
}
