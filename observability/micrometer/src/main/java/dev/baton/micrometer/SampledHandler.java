package dev.baton.micrometer;

import dev.baton.Message;
import dev.baton.MessageHandler;
import dev.baton.Outlet;

/**
 * Times some of a part's messages. The distance between two samples is random and adapts to the rate, so that there are about
 * a thousand a second, and all messages where there are fewer. Confined to the part's loop.
 */
final class SampledHandler implements MessageHandler {
    private static final long TARGET_NANOS = 1_000_000; // between samples
    private static final int MAX_STRIDE = 1 << 8;

    private final PartTimers timers;
    private final MessageHandler next;
    private int left = 1; // messages up to the next sample, that one included
    private int distance = 1; // from the sample before
    private int stride = 1; // mean distance
    private long sampledNanos = System.nanoTime();
    private int random = System.identityHashCode(this) | 1;

    SampledHandler(PartTimers timers, MessageHandler next) {
        this.timers = timers;
        this.next = next;
    }

    @Override
    public void onMessage(Message in, Outlet out) throws Exception {
        if (--left > 0) {
            next.onMessage(in, out);
        } else {
            sample(in, out);
        }
    }

    private void sample(Message in, Outlet out) throws Exception {
        long origin = in.isRedelivered() ? Message.UNKNOWN_TIME : in.originNanos(); // before the message is used up
        long begun = System.nanoTime();
        adapt(begun);
        next.onMessage(in, out);
        long ended = System.nanoTime();
        timers.service(ended - begun);
        if (origin != Message.UNKNOWN_TIME) {
            timers.latency(Math.max(0, ended - origin));
        }
    }

    /** Sets the distance to the next sample. */
    private void adapt(long now) {
        long elapsed = Math.max(1, now - sampledNanos);
        sampledNanos = now;
        if (elapsed < TARGET_NANOS / 2 * distance / stride) {
            stride = Math.min(MAX_STRIDE, stride * 2);
        } else if (elapsed > TARGET_NANOS * 2 * distance / stride) {
            stride = Math.max(1, (int) (stride * TARGET_NANOS / elapsed));
        }
        distance = stride == 1 ? 1 : 1 + nextRandom(2 * stride - 1);
        left = distance;
    }

    /** From 0 to {@code bound - 1}, evenly enough: xorshift. */
    private int nextRandom(int bound) {
        random ^= random << 13;
        random ^= random >>> 17;
        random ^= random << 5;
        return (random >>> 1) % bound;
    }
}
