package dev.baton.lab.study.transit;

import dev.baton.lab.command.ChangedDefaults;
import dev.baton.lab.request.Phases;
import java.time.Duration;
import java.util.Map;

/** What {@code transit} does unless it is told otherwise, where that differs from the other commands. Thread-safe. */
final class TransitDefaults extends ChangedDefaults {
    public TransitDefaults() {
        super(Map.of("--transport", "disruptor,chronicle", "--duration", "100s", "--idle", "spin"));
    }

    /** How long a trial is in one of its shorter forms. */
    record Times(Duration warmup, Duration duration, Duration floor) {
        static final Times QUICK = of(2_000, 10_000, 1_000);

        /** Of each point of a sweep. */
        static final Times POINT = of(2_000, 5_000, 1_000);

        /** Of each point of a quick sweep. */
        static final Times QUICK_POINT = of(1_000, 2_000, 500);

        private static Times of(int warmupMillis, int durationMillis, int floorMillis) {
            return new Times(
                    Duration.ofMillis(warmupMillis), Duration.ofMillis(durationMillis), Duration.ofMillis(floorMillis));
        }
    }

    /** Bytes that the messages of one trial take in files, generously. */
    static long diskBytes(double ratePerSecond, int sizeBytes, Phases phases) {
        double frames = (phases.warmupNanos() + phases.measureNanos()) / 1e9 * ratePerSecond;
        return (long) (frames * (sizeBytes + 88)) + (1 << 20);
    }
}
