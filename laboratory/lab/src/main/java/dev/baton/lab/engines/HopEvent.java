package dev.baton.lab.engines;

import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.MessageSink;

/**
 * The message in a slot of a ring: allocated once, written and read in place, visible through the ring's sequences. Confined to
 * one thread at a time.
 */
public final class HopEvent implements PayloadPattern.Origin {
    long originNanos;
    long sequence;
    long cause;
    long sentNanos;
    int tag;
    int hops;
    int length;
    final byte[] payload;

    /** Creates an empty event. @param payloadBytes length of the longest payload */
    public HopEvent(int payloadBytes) {
        payload = new byte[payloadBytes];
    }

    /**
     * Begins a message that has passed no service, sent now.
     *
     * @param place sequence in its first topic, from 1
     * @param number number of the message, from which the pattern makes its payload
     */
    public void begin(long place, long number, long origin, int newTag, PayloadPattern pattern) {
        originNanos = origin;
        sequence = place;
        cause = 0;
        sentNanos = System.nanoTime();
        tag = newTag;
        hops = 0;
        length = pattern.length(number);
        pattern.write(number, payload, 0);
    }

    /** Copies another message, one hop on. @param place in the ring of this event, from 0 */
    public void passOn(HopEvent from, long place) {
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

    /** Delivers the message to a receiver. */
    public void deliverTo(MessageSink receiver) {
        receiver.onMessage(originNanos, tag, hops, length, this);
    }

    @Override
    public void copyTo(byte[] target, int count) {
        System.arraycopy(payload, 0, target, 0, count);
    }
}
