package dev.baton;

import java.time.Duration;
import java.util.Objects;

/**
 * Whether and when a chain that failed is opened again: after a pause that doubles from failure to failure, as often as a
 * limit allows.
 *
 * <pre>{@code
 * RestartPolicy.backoff(Duration.ofMillis(100), Duration.ofSeconds(5)).atMost(10, Duration.ofMinutes(1))
 * }</pre>
 *
 * <p>A chain is opened again after failures of its transport. It is not where somebody has to act first:
 *
 * <ul>
 *   <li>what a service threw, as the same message would do so again, unless {@link #afterServiceFailures} says otherwise;
 *   <li>a login or a permission that is refused, a topic that is not the one it was, a group that does not take the member;
 *   <li>a newer process that has taken over ({@link dev.baton.spi.ReplacedException}) at the topic that decides, which is
 *       the output of the last service that runs here: to open again would take the place back. One that was replaced at
 *       another topic opens everything again after a pause of random length;
 *   <li>arguments and settings that are wrong, and loops that were closed.
 * </ul>
 *
 * <p>A chain that a live process keeps out ({@link dev.baton.spi.OccupiedException}) stands by: it tries again every {@link
 * #STANDBY_PAUSE} without a limit. Immutable, thread-safe.
 */
public final class RestartPolicy {
    /** Between two tries of a chain that another process keeps out. */
    public static final Duration STANDBY_PAUSE = Duration.ofMillis(500);

    /** The longest pause before a restart. */
    public static final Duration MAX_PAUSE = Duration.ofHours(1);

    private static final Duration STEADY = Duration.ofSeconds(10);

    private final Duration first;
    private final Duration longest;
    private final Duration steady;
    private final int most; // 0: no limit
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
     * {@return the policy that opens again as often as necessary, after a pause that doubles from one failure to the next}
     *
     * @param first pause, 1 ms or more
     * @param longest pause, up to {@link #MAX_PAUSE}
     */
    public static RestartPolicy backoff(Duration first, Duration longest) {
        Objects.requireNonNull(first, "first pause");
        Objects.requireNonNull(longest, "longest pause");
        if (first.toMillis() < 1 || longest.compareTo(first) < 0 || longest.compareTo(MAX_PAUSE) > 0) {
            throw new IllegalArgumentException("pauses of " + first + " to " + longest
                    + " before a restart; PT0.001S to " + MAX_PAUSE + " is allowed, the longest last");
        }
        return new RestartPolicy(first, longest, STEADY, 0, Duration.ZERO, false);
    }

    /**
     * {@return the same policy, but the chain stops for good when it has failed once more after so many restarts within a
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
     * {@return the same policy, but a run of this length ends a row of failures: the next pause is the first again}
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
     * {@return the same policy, but a chain whose service threw an exception is opened again as well, with services that its
     * factories make; the message at which it threw is delivered again} Not after an {@link Error}.
     */
    public RestartPolicy afterServiceFailures() {
        return new RestartPolicy(first, longest, steady, most, window, true);
    }

    /**
     * Begins to count the failures of one chain, for programs that open and close chains, or what is around them, on their
     * own. {@link Deployment#restart} does so by itself.
     *
     * @param decidingTopic where a newer process that replaced this one has taken over; null when no topic decides, as
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

    /** 0: no limit. */
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
