package dev.baton;

/**
 * One message as a service sees it: a read-only view of the transport's memory.
 *
 * <p>Valid until the callback that received it returns; keep copies, not the view. Payload access is bounds-checked and
 * little endian, indices count bytes from the payload's start. Confined to the thread of the callback.
 */
public interface Message {
    /** Place in its topic: 1, 2, 3 ... without gaps. */
    long sequence();

    /** What {@link #originNanos} and {@link #sentNanos} return when the time is not known. */
    long UNKNOWN_TIME = Long.MIN_VALUE;

    /**
     * Sequence of the input that led to this message, in the topic before; 0 at the inlet. Of a message that a tick sent:
     * the last input before the tick.
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
}
