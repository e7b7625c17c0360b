package dev.baton.lab.request;

import dev.baton.operations.settings.Range;

/**
 * How long each part of a trial lasts.
 *
 * @param warmupNanos at the measured rate, over the same path, not recorded
 * @param measureNanos messages whose slot lies in here are recorded, however late they arrive
 * @param drainNanos how long after the last slot a message may arrive before it counts as undelivered
 */
public record Phases(long warmupNanos, long measureNanos, long drainNanos) {
    private static final long DAY = 86_400_000_000_000L;

    public Phases {
        Range.check("warm-up, in ns,", warmupNanos, 0, 7 * DAY);
        Range.check("duration, in ns,", measureNanos, 1_000_000, 7 * DAY);
        Range.check("drain, in ns,", drainNanos, 0, DAY);
    }
}
