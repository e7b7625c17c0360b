package dev.baton.state;

import dev.baton.run.Limits;
import java.time.Duration;

/**
 * A policy for the snapshots of a chain's services with state: when they are taken, and their limits. A snapshot is taken only
 * if inputs have come since the last one. Immutable, thread-safe.
 *
 * @param interval time between the beginnings of two snapshots; 10 seconds by default
 * @param inputs number of inputs after which a snapshot is taken before the interval is over; 0, the default, for no such
 *     number
 * @param maxBytes maximum size of a state, 1 GiB by default; a service that writes more stops its chain
 * @param warnAfter age of the newest complete snapshot, while inputs are handled, at which the status warns; 10 minutes by
 *     default
 * @param startsEmpty whether a service whose state cannot be found begins with an empty one, at the first unanswered input,
 *     instead of stopping its chain
 */
public record SnapshotPolicy(Duration interval, long inputs, long maxBytes, Duration warnAfter, boolean startsEmpty) {
    private static final long DEFAULT_MAX_BYTES = 1L << 30;

    /**
     * Checks the limits. {@link #every} has the defaults.
     *
     * @param interval a negative value counts as zero
     * @param inputs 1 or more; 0 for no such number
     * @param maxBytes 1 or more
     * @param warnAfter a negative value counts as zero
     * @param startsEmpty whether an empty state replaces one that cannot be found
     * @throws IllegalArgumentException when {@code inputs} is negative or {@code maxBytes} is less than 1
     */
    public SnapshotPolicy {
        interval = Limits.capped("time between snapshots", interval);
        warnAfter = Limits.capped("age of a snapshot", warnAfter);
        if (inputs < 0) {
            throw new IllegalArgumentException(
                    "a snapshot every " + inputs + " inputs; 1 or more, or 0 for no such number");
        }
        if (maxBytes < 1) {
            throw new IllegalArgumentException("snapshots of at most " + maxBytes + " bytes; 1 or more is allowed");
        }
    }

    /**
     * {@return the policy that takes snapshots at an interval, with the other defaults}
     *
     * @param interval time between the beginnings of two snapshots
     */
    public static SnapshotPolicy every(Duration interval) {
        return new SnapshotPolicy(interval, 0, DEFAULT_MAX_BYTES, Duration.ofMinutes(10), false);
    }

    /** {@return the policy that takes a snapshot every 10 seconds, which is the default} */
    public static SnapshotPolicy standard() {
        return every(Duration.ofSeconds(10));
    }

    /**
     * {@return the same policy, with a snapshot also after a number of inputs}
     *
     * @param count 1 or more; 0 for no such number
     */
    public SnapshotPolicy orInputs(long count) {
        return new SnapshotPolicy(interval, count, maxBytes, warnAfter, startsEmpty);
    }

    /**
     * {@return the same policy with another maximum size of a state}
     *
     * @param bytes 1 or more
     */
    public SnapshotPolicy atMost(long bytes) {
        return new SnapshotPolicy(interval, inputs, bytes, warnAfter, startsEmpty);
    }

    /**
     * {@return the same policy with another age at which the status warns}
     *
     * @param age age of the newest complete snapshot
     */
    public SnapshotPolicy warnAfter(Duration age) {
        return new SnapshotPolicy(interval, inputs, maxBytes, age, startsEmpty);
    }

    /**
     * {@return the same policy, but a service whose state cannot be found begins with an empty one} Use it for a service that
     * had no state in its last build, or whose snapshots are lost. Remove it once the service has started.
     */
    public SnapshotPolicy startEmpty() {
        return new SnapshotPolicy(interval, inputs, maxBytes, warnAfter, true);
    }
}
