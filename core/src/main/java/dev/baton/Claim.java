package dev.baton;

/**
 * Room for one message, filled in place and then committed or aborted. Indices count bytes from the payload's start;
 * what is not written is undefined. A claim is a reused view: it is dead after commit or abort and says so. Confined to
 * the thread that claimed.
 */
public interface Claim {
    /** Bytes that may be written. */
    int maxLength();

    /** Sets the message's type, 0 unless set. */
    Claim type(int type);

    Claim putByte(int index, byte value);

    Claim putShort(int index, short value);

    Claim putInt(int index, int value);

    Claim putLong(int index, long value);

    Claim putDouble(int index, double value);

    /** Copies {@code count} bytes of {@code source} from {@code offset} on to {@code index}. */
    Claim putBytes(int index, byte[] source, int offset, int count);

    /** Copies a whole payload to the start of this one. */
    Claim putPayload(Message source);

    /**
     * Sends the first {@code length} bytes.
     *
     * @return the sequence of the message in its topic
     */
    long commit(int length);

    /** Sends nothing and gives the room back; on a dead claim it does nothing. */
    void abort();
}
