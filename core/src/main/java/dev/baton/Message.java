package dev.baton;

import java.nio.ByteBuffer;

/**
 * One message as a service sees it: a read-only view of the transport's memory.
 *
 * <p>Valid until the callback that received it returns; keep copies, not the view. Payload access is bounds-checked and
 * little endian, indices count bytes from the payload's start. Confined to the thread of the callback.
 */
public interface Message {
    /** Name of its topic, with the partition's number behind an '@' where the chain has partitions. */
    String topic();

    /** Which partition of the chain it came through, from 0; -1 when the chain has none. */
    int partition();

    /**
     * Returns the key that its sender gave it, or null: a read-only view from position to limit, valid until the callback
     * returns. Each call returns the same buffer, aimed anew. To keep it, copy it.
     */
    ByteBuffer key();

    /**
     * Returns its W3C trace context, or null: the {@value dev.baton.spi.Extension#TRACE_BYTES} bytes of {@link
     * dev.baton.spi.Extension#TRACE} from position to limit, valid until the callback returns. Each call returns the same buffer,
     * aimed anew. Allocates nothing once warm.
     */
    default ByteBuffer trace() {
        return null;
    }

    /** Place in its topic: 1, 2, 3 ... without gaps. */
    long sequence();

    /** What {@link #originNanos} and {@link #sentNanos} return when the time is not known. */
    long UNKNOWN_TIME = Long.MIN_VALUE;

    /**
     * Sequence of the input that led to this message, in the topic before; 0 at the inlet. Of a message that a tick sent:
     * the last input before the tick. Of one that a source sent: its {@link SourceContext#position} plus one.
     */
    long cause();

    /** Whether a tick of the service sent it, and no input. */
    boolean isOfTick();

    /**
     * Whether the service has handled it before and its outputs are stored: it comes again because it was held. See {@link
     * Service#holdsInputs}.
     */
    boolean isRedelivered();

    /**
     * When the message was meant to enter the chain, by {@link System#nanoTime}; {@link #UNKNOWN_TIME} when it was
     * stamped in another boot, or on another host: such stamps cannot be compared.
     */
    long originNanos();

    /**
     * When the message was meant to enter the chain, in nanoseconds since 1970-01-01T00:00Z by the wall clock of the host
     * that sent it; {@link #UNKNOWN_TIME} unless its chain carries that ({@link Deployment#wallClock}).
     */
    long originWallNanos();

    /**
     * When the message was committed to this topic, by {@link System#nanoTime}; messages of one batch share a reading of
     * the clock. {@link #UNKNOWN_TIME} as for {@link #originNanos}.
     */
    long sentNanos();

    /** Services passed since the inlet. */
    int servicesPassed();

    /** Chosen by the sender, 0 unless set. */
    int type();

    /** Bytes of payload. */
    int length();

    byte getByte(int index);

    short getShort(int index);

    int getInt(int index);

    long getLong(int index);

    double getDouble(int index);

    /** Copies {@code count} bytes of payload from {@code index} on into {@code target} at {@code offset}. */
    void getBytes(int index, byte[] target, int offset, int count);

    /**
     * Copies {@code count} bytes of payload from {@code index} on into {@code target} at {@code offset}, wherever its position
     * is; neither position nor limit moves.
     */
    void getBytes(int index, ByteBuffer target, int offset, int count);

    /**
     * Returns the payload without a copy, for decoders that read buffers, such as those of SBE: a read-only view in little-endian
     * order, whose position is the payload's first byte and whose limit is its end. Agrona's flyweights wrap it as {@code
     * buffer.wrap(view, view.position(), view.remaining())}.
     *
     * <p>The memory is the transport's: the ring itself over the Disruptor, the batch as it was read from the file over
     * Chronicle, the fetched record over Kafka. It is valid until the callback returns. Each call returns the same buffer,
     * aimed anew; a caller may move its position and limit. Over the Disruptor and Chronicle it allocates nothing once warm,
     * over Kafka a view of each record.
     */
    ByteBuffer payload();
}
