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

    /** Sequence of the input that led to this message, in the topic before; 0 at the inlet. */
    long cause();

    /** When the message was meant to enter the chain, {@link System#nanoTime} of the machine that sent it. */
    long originNanos();

    /** When the message was committed to this topic; messages of one batch share a reading of the clock. */
    long sentNanos();

    /** Services passed since the inlet. */
    int hops();

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
