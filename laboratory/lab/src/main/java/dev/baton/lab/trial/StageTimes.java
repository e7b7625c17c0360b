package dev.baton.lab.trial;

import dev.baton.lab.trial.ends.Window;
import dev.baton.measuring.RecorderPool;
import dev.baton.measuring.data.Stage;
import dev.baton.measuring.data.Stage.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.HdrHistogram.Histogram;

/**
 * The times of messages in each stage of a chain: topic 0, the first service, topic 1 and so on to the last topic, of all instances
 * together, one message of a number.
 *
 * <p>Each thread records into its own histograms, with those of the warm-up apart through the same code; they are merged at the end. {@link
 * #forThisThread} may be called by any thread, {@link #stages} when all recording threads have ended.
 */
final class StageTimes {
    private static final int DIGITS = 2;

    private final List<String> services;
    private final int oneOf;
    private final Window window;
    private final long highestNanos;
    private final ConcurrentHashMap<Thread, OfThread> byThread = new ConcurrentHashMap<>();

    /**
     * Creates the times.
     *
     * @param services their names, in the order of the chain
     * @param oneOf number of messages of which one is timed, a power of two
     * @param highestNanos greater values are recorded as this
     */
    StageTimes(List<String> services, int oneOf, Window window, long highestNanos) {
        if (Integer.bitCount(oneOf) != 1) {
            throw new IllegalArgumentException("one of " + oneOf + " messages; a power of two is allowed");
        }
        this.services = List.copyOf(services);
        this.oneOf = oneOf;
        this.window = window;
        this.highestNanos = highestNanos;
    }

    /** {@return the number of messages of which one is timed} */
    int oneOf() {
        return oneOf;
    }

    /** Position of a topic among the stages. */
    static int topic(int index) {
        return 2 * index;
    }

    /** Position of a service among the stages. */
    static int service(int index) {
        return 2 * index + 1;
    }

    /** The calling thread's histograms; ask once and keep them. */
    OfThread forThisThread() {
        return byThread.computeIfAbsent(Thread.currentThread(), thread -> new OfThread());
    }

    /** The histograms of one thread. Confined to it, and to the merge after it has ended. */
    final class OfThread {
        private final Histogram[][] byPhase = new Histogram[2][2 * services.size() + 1];
        private final long[][] untimedByPhase = new long[2][2 * services.size() + 1];

        /** Makes what this stage is recorded into, so that recording does not. */
        OfThread prepare(int stage) {
            for (Histogram[] phase : byPhase) {
                if (phase[stage] == null) {
                    phase[stage] = new Histogram(highestNanos, DIGITS);
                }
            }
            return this;
        }

        /**
         * Records a time.
         *
         * @param originNanos of the message, which decides whether it is measured
         */
        void record(int stage, long originNanos, long nanos) {
            int phase = RecorderPool.phase(originNanos, window.measureNanos());
            byPhase[phase][stage].recordValue(Math.min(highestNanos, Math.max(0, nanos)));
        }

        /** Counts a message that came too late for this stage to be timed. */
        void miss(int stage, long originNanos) {
            untimedByPhase[RecorderPool.phase(originNanos, window.measureNanos())][stage]++;
        }
    }

    /** Returns all stages of the measured messages, in the order of the chain. */
    List<Stage> stages() {
        List<Stage> stages = new ArrayList<>();
        for (int i = 0; i <= 2 * services.size(); i++) {
            Histogram sum = new Histogram(highestNanos, DIGITS);
            long untimed = 0;
            for (OfThread each : byThread.values()) {
                untimed += each.untimedByPhase[RecorderPool.MEASURED][i];
                Histogram part = each.byPhase[RecorderPool.MEASURED][i];
                if (part != null) {
                    sum.add(part);
                }
            }
            boolean isTopic = i % 2 == 0;
            stages.add(stage(
                    isTopic ? Kind.TOPIC : Kind.SERVICE,
                    isTopic ? "topic " + i / 2 : services.get(i / 2),
                    untimed,
                    sum));
        }
        return stages;
    }

    private static Stage stage(Kind kind, String name, long untimed, Histogram histogram) {
        long count = histogram.getTotalCount();
        boolean isEmpty = count == 0;
        return new Stage(
                kind,
                name,
                count,
                untimed,
                isEmpty ? null : histogram.getValueAtPercentile(50),
                isEmpty ? null : histogram.getValueAtPercentile(99),
                isEmpty ? null : histogram.getValueAtPercentile(99.9),
                isEmpty ? null : histogram.getMaxValue());
    }
}
