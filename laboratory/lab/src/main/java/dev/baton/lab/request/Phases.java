package dev.baton.lab.request;

import dev.baton.operations.settings.Range;

/**
 * The durations of the phases of a trial.
 *
 * @param warmupNanos at the measured rate, over the same path, not recorded
 * @param measureNanos messages whose slot lies in here are recorded, however late they arrive
 * @param drainNanos time after the last slot within which a message may arrive before it counts as undelivered
 * @param endsWhenBroken whether the measurement ends as soon as a limit is certain to be exceeded: for a search, which needs only the
 *     verdict
 * @param isProvisional whether the trial is exploratory ({@code --quick}): its figures are not to be quoted
 */
public record Phases(
        long warmupNanos, long measureNanos, long drainNanos, boolean endsWhenBroken, boolean isProvisional) {
    /** The longest measurement that a command accepts: a day. */
    public static final long MOST_NANOS = 86_400_000_000_000L;

    public Phases {
        Range.check("warm-up, in ns,", warmupNanos, 0, 7 * MOST_NANOS);
        Range.check("duration, in ns,", measureNanos, 1_000_000, 7 * MOST_NANOS);
        Range.check("drain, in ns,", drainNanos, 0, MOST_NANOS);
    }

    /** Phases that last as long as planned. */
    public Phases(long warmupNanos, long measureNanos, long drainNanos) {
        this(warmupNanos, measureNanos, drainNanos, false, false);
    }

    /** {@return the duration of the sending} */
    public long sendingNanos() {
        return warmupNanos + measureNanos;
    }

    /** Returns these phases with another length of the measurement. */
    public Phases measuring(long nanos) {
        return new Phases(warmupNanos, nanos, drainNanos, endsWhenBroken, isProvisional);
    }

    /** Phases of an exploratory trial, as long as these. */
    public Phases provisional() {
        return new Phases(warmupNanos, measureNanos, drainNanos, endsWhenBroken, true);
    }

    /** Returns these phases, ended as soon as a limit is certain to be broken. */
    public Phases endingWhenBroken() {
        return new Phases(warmupNanos, measureNanos, drainNanos, true, isProvisional);
    }
}
