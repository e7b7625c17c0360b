package dev.baton.measuring.attribution;

import dev.baton.measuring.SlowMessage;
import dev.baton.measuring.data.Disturbance;
import dev.baton.measuring.data.Tail;
import dev.baton.measuring.data.Tail.Cause;
import dev.baton.measuring.data.Tail.Share;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Joins the messages above a threshold with what they lived through. A pure function. Stateless, thread-safe. */
public final class TailJoin {
    private TailJoin() {}

    /**
     * The tail.
     *
     * @param percentile whose value the threshold is
     * @param messages above it
     * @param kept of these, those whose moments are known
     * @param fromNanos the moment that disturbances count from, on the messages' clock
     * @param disturbances all there were
     */
    public static Tail of(
            double percentile,
            long thresholdNanos,
            long messages,
            List<SlowMessage> kept,
            long fromNanos,
            List<Disturbance> disturbances) {
        Interference interference = Interference.of(disturbances);
        DelayBreakdown life = new DelayBreakdown();
        Cause[] causes = Cause.values();
        long[] nanos = new long[causes.length];
        long[] mostOf = new long[causes.length];
        long all = 0;
        for (SlowMessage message : kept) {
            life.divide(message, fromNanos, interference);
            for (Cause cause : causes) {
                nanos[cause.ordinal()] += life.nanos(cause);
                all += life.nanos(cause);
            }
            mostOf[life.main().ordinal()]++;
        }
        List<Share> shares = new ArrayList<>();
        for (Cause cause : causes) {
            if (nanos[cause.ordinal()] > 0) {
                shares.add(new Share(cause, nanos[cause.ordinal()] / (double) all, mostOf[cause.ordinal()]));
            }
        }
        shares.sort(Comparator.comparingDouble(Share::part).reversed());
        return new Tail(percentile, thresholdNanos, messages, kept.size(), shares);
    }
}
