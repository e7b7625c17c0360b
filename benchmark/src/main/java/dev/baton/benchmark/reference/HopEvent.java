package dev.baton.benchmark.reference;

import dev.baton.benchmark.measure.PayloadPattern;

/** What lies in each slot of a ring: made once, written and read in place, visible through the ring's sequences. */
final class HopEvent implements PayloadPattern.Origin, PayloadPattern.Target {
    long originNanos;
    int tag;
    int hops;
    int length;
    private final byte[] payload;

    HopEvent(int payloadBytes) {
        payload = new byte[payloadBytes];
    }

    /** Takes over another message, one hop on. */
    void passOn(HopEvent from) {
        originNanos = from.originNanos;
        tag = from.tag;
        hops = from.hops + 1;
        length = from.length;
        if (length > 0) {
            System.arraycopy(from.payload, 0, payload, 0, length);
        }
    }

    @Override
    public long getLong(int index) {
        return Header.getLong(payload, index);
    }

    @Override
    public byte getByte(int index) {
        return payload[index];
    }

    @Override
    public void putLong(int index, long value) {
        Header.putLong(payload, index, value);
    }

    @Override
    public void putByte(int index, byte value) {
        payload[index] = value;
    }
}
