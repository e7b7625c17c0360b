package dev.baton.lab.engines;

import dev.baton.measuring.PayloadPattern;

/** What lies in each slot of a ring: made once, written and read in place, visible through the ring's sequences. */
final class HopEvent implements PayloadPattern.Origin {
    long originNanos;
    long sequence;
    long cause;
    long sentNanos;
    int tag;
    int hops;
    int length;
    final byte[] payload;

    HopEvent(int payloadBytes) {
        payload = new byte[payloadBytes];
    }

    /** Takes over another message, one hop on. @param place in the ring of this event, from 0 */
    void passOn(HopEvent from, long place) {
        originNanos = from.originNanos;
        sequence = place + 1;
        cause = from.sequence;
        sentNanos = from.sentNanos;
        tag = from.tag;
        hops = from.hops + 1;
        length = from.length;
        if (length > 0) {
            System.arraycopy(from.payload, 0, payload, 0, length);
        }
    }

    @Override
    public void copyTo(byte[] target, int count) {
        System.arraycopy(payload, 0, target, 0, count);
    }
}
