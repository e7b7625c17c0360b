package dev.baton;

import java.time.Duration;
import java.util.Objects;

/**
 * A policy for opening a failed chain again: after a pause that doubles from failure to failure, as often as a limit allows.
 *
 * <pre>{@code
 * RestartPolicy.backoff(Duration.ofMillis(100), Duration.ofSeconds(5)).atMost(10, Duration.ofMinutes(1))
 * }</pre>
 *
 * <p>A chain is opened again after failures of its transport, and if a loop opens it too late. It is not opened again after failures that need a person first:
 *
 * <ul>
 *   <li>an exception of a service, since the same message would probably cause it again, unless {@link #afterServiceFailures}
 *       is set;
 *   <li>a refused login or permission, a topic that is not the same as before, a group that does not accept the member;
 *   <li>a newer process that has taken over ({@link dev.baton.spi.errors.ReplacedException}) at the deciding topic, which is the
 *       output of the last service that runs here: opening again would replace the newer process. A chain that was replaced at
 *       another topic is opened again after a pause of random length;
 *   <li>wrong arguments and settings, and closed loops.
 * </ul>
 *
 * <p>If a live process occupies its topics ({@link dev.baton.spi.errors.OccupiedException}), the chain stands by: it tries again every
 * {@link #STANDBY_PAUSE} without a limit. Immutable, thread-safe.
 */
public final class RestartPolicy {
    /** The pause between two attempts of a chain that stands by. */
    public static final Duration STANDBY_PAUSE = Duration.ofMillis(500);

    /** The longest pause before a restart. */
    public static final Duration MAX_PAUSE = Duration.ofHours(1);

    private static final Duration STEADY = Duration.ofSeconds(10);

    private final Duration first;
    private final Duration longest;
    private final Duration steady;
    private final int most; // 0 for no limit
    private final Duration window;
    private final boolean afterServiceFailures;

    private RestartPolicy(
            Duration first,
            Duration longest,
            Duration steady,
            int most,
            Duration window,
            boolean afterServiceFailures) {
        this.first = first;
        this.longest = longest;
        this.steady = steady;
        this.most = most;
        this.window = window;
        this.afterServiceFailures = afterServiceFailures;
    }

    /**
     * {@return the policy that opens a chain again as often as necessary, after a pause that doubles from one failure to the
     * next}
     *
     * @param first first pause, 1 ms or more
     * @param longest longest pause, up to {@link #MAX_PAUSE}
     */
    public static RestartPolicy backoff(Duration first, Duration longest) {
        Objects.requireNonNull(first, "first pause");
        Objects.requireNonNull(longest, "longest pause");
        if (first.toMillis() < 1 || longest.compareTo(first) < 0 || longest.compareTo(MAX_PAUSE) > 0) {
            throw new IllegalArgumentException(
                    "pauses of " + first + " to " + longest + " before a restart; PT0.001S to " + MAX_PAUSE
                            + " is allowed, and the first must not exceed the longest");
        }
        return new RestartPolicy(first, longest, STEADY, 0, Duration.ZERO, false);
    }

    /**
     * {@return the same policy, but the chain stops permanently when it fails again after a number of restarts within a
     * time}
     *
     * @param restarts 1 or more
     * @param within more than 0; restarts longer ago than that do not count
     */
    public RestartPolicy atMost(int restarts, Duration within) {
        Objects.requireNonNull(within, "time");
        if (restarts < 1 || within.isZero() || within.isNegative()) {
            throw new IllegalArgumentException(
                    restarts + " restarts within " + within + "; 1 or more within more than 0 is allowed");
        }
        return new RestartPolicy(first, longest, steady, restarts, within, afterServiceFailures);
    }

    /**
     * {@return the same policy, but after a run of this length the next pause is the first one again}
     *
     * @param run 0 or more; 10 seconds by default
     */
    public RestartPolicy steadyAfter(Duration run) {
        Objects.requireNonNull(run, "run");
        if (run.isNegative()) {
            throw new IllegalArgumentException("a run of " + run + "; 0 or more is allowed");
        }
        return new RestartPolicy(first, longest, run, most, window, afterServiceFailures);
    }

    /**
     * {@return the same policy, but a chain whose service threw an exception is opened again as well, with new services from
     * its factories; the message that failed is delivered again} Not after an {@link Error}.
     */
    public RestartPolicy afterServiceFailures() {
        return new RestartPolicy(first, longest, steady, most, window, true);
    }

    /**
     * Begins to count the failures of one chain, for programs that open and close chains themselves. {@link
     * Deployment#restart} does so by itself.
     *
     * @param decidingTopic the topic whose newer writer replaces this process permanently; null if no topic decides, as
     *     among members of a group
     * @return the count, without a failure yet
     */
    public RestartAttempts attempts(String decidingTopic) {
        return new RestartAttempts(this, decidingTopic);
    }

    Duration first() {
        return first;
    }

    Duration longest() {
        return longest;
    }

    Duration steady() {
        return steady;
    }

    /** Returns the maximum number of restarts within the time; 0 for no limit. */
    int most() {
        return most;
    }

    Duration window() {
        return window;
    }

    boolean isAfterServiceFailures() {
        return afterServiceFailures;
    }
}
