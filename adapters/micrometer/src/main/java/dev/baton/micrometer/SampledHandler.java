package dev.baton.micrometer;

import dev.baton.Message;
import dev.baton.MessageHandler;
import dev.baton.MessageInterceptor.SamplingHandler;
import dev.baton.Outlet;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Times some of a part's messages. The distance between two samples is random and adapts to the rate, so that there are about
 * a thousand a second, and all messages where there are fewer. Confined to the part's loop, but for {@link #nudge}.
 */
final class SampledHandler implements SamplingHandler {
    private static final long TARGET_NANOS = 1_000_000; // between samples
    private static final int MAX_STRIDE = 1 << 14;
    private static final long STALE_NANOS = 200 * TARGET_NANOS;

    private static final VarHandle LEFT;
    private static final VarHandle SAMPLED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            LEFT = lookup.findVarHandle(SampledHandler.class, "left", int.class);
            SAMPLED = lookup.findVarHandle(SampledHandler.class, "sampledNanos", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

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
    public boolean takesBatch(int passed, int most) {
        int now = (int) LEFT.getOpaque(this) - passed;
        if (passed > 0) {
            LEFT.setOpaque(this, now);
        }
        return now <= most;
    }

    @Override
    public void onMessage(Message in, Outlet out) throws Exception {
        int now = (int) LEFT.getOpaque(this) - 1;
        if (now > 0) {
            LEFT.setOpaque(this, now);
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
        double messageNanos = (double) Math.max(1, now - sampledNanos) / distance;
        double due = Math.min(MAX_STRIDE, TARGET_NANOS / messageNanos);
        stride = (int)
                Math.max(1, Math.min(due, 2.0 * stride)); // a gap that is short by chance does not raise it at once
        distance = stride == 1 ? 1 : 1 + nextRandom(2 * stride - 1);
        SAMPLED.setOpaque(this, now);
        LEFT.setOpaque(this, distance);
    }

    /** From 0 to {@code bound - 1}, evenly enough: xorshift. */
    private int nextRandom(int bound) {
        random ^= random << 13;
        random ^= random >>> 17;
        random ^= random << 5;
        return (random >>> 1) % bound;
    }

    /**
     * Samples the next message when the last sample is old: the rate has fallen, and the interval is still that of the former rate. May be
     * called by any thread; the loop may miss it, so it is repeated.
     */
    void nudge() {
        if (System.nanoTime() - (long) SAMPLED.getOpaque(this) > STALE_NANOS) {
            LEFT.setOpaque(this, 1);
        }
    }
}
