package dev.baton;

import dev.baton.run.Limits;
import java.time.Duration;

/**
 * When the services with state of a chain take snapshots, and what limits these. Between two snapshots inputs have to have
 * come. Immutable, thread-safe.
 *
 * @param interval between the beginnings of two snapshots; 10 seconds by default
 * @param inputs after which a snapshot is taken before the interval is over; 0, the default, for no such number
 * @param maxBytes longest state; a service that writes more stops its chain. 1 GiB by default
 * @param warnAfter age of the newest whole snapshot, while inputs are handled, at which status warns; 10 minutes by default
 * @param startsEmpty whether a service whose state cannot be found begins with an empty one, at the first input that is not
 *     answered, instead of stopping its chain
 */
public record SnapshotPolicy(Duration interval, long inputs, long maxBytes, Duration warnAfter, boolean startsEmpty) {
    private static final long DEFAULT_MAX_BYTES = 1L << 30;

    /**
     * Checks the limits. {@link #every} has the defaults.
     *
     * @param interval negative counts as zero
     * @param inputs 1 or more; 0 for no such number
     * @param maxBytes 1 or more
     * @param warnAfter negative counts as zero
     * @param startsEmpty whether an empty state takes the place of one that cannot be found
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
     * {@return the policy that takes a snapshot every so often, and has the defaults otherwise}
     *
     * @param interval between the beginnings of two snapshots
     */
    public static SnapshotPolicy every(Duration interval) {
        return new SnapshotPolicy(interval, 0, DEFAULT_MAX_BYTES, Duration.ofMinutes(10), false);
    }

    /** {@return the policy that takes a snapshot every 10 seconds, which is the default} */
    public static SnapshotPolicy standard() {
        return every(Duration.ofSeconds(10));
    }

    /**
     * {@return the same policy, with a snapshot after so many inputs as well}
     *
     * @param count 1 or more; 0 for no such number
     */
    public SnapshotPolicy orInputs(long count) {
        return new SnapshotPolicy(interval, count, maxBytes, warnAfter, startsEmpty);
    }

    /**
     * {@return the same policy with another limit of the state}
     *
     * @param bytes 1 or more
     */
    public SnapshotPolicy atMost(long bytes) {
        return new SnapshotPolicy(interval, inputs, bytes, warnAfter, startsEmpty);
    }

    /**
     * {@return the same policy with another age at which status warns}
     *
     * @param age of the newest whole snapshot
     */
    public SnapshotPolicy warnAfter(Duration age) {
        return new SnapshotPolicy(interval, inputs, maxBytes, age, startsEmpty);
    }

    /**
     * {@return the same policy, but a service whose state cannot be found begins with an empty one} Meant for a service that
     * had no state in its last build, or one whose snapshots are lost. Take it back once the service has started.
     */
    public SnapshotPolicy startEmpty() {
        return new SnapshotPolicy(interval, inputs, maxBytes, warnAfter, true);
    }
}
