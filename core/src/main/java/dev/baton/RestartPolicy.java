package dev.baton;

import dev.baton.run.Limits;
import dev.baton.spi.errors.AccessRefusedException;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.LostTransportException;
import dev.baton.spi.errors.MembershipException;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.Causes;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;

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
 *   <li>a refused login or permission, a damaged topic, a topic that is not the same as before, a group that does not accept the
 *       member;
 *   <li>a newer process that has taken over ({@link dev.baton.spi.errors.ReplacedException}) at the deciding topic, which is the
 *       output of the last service that runs here: opening again would replace the newer process. A chain that was replaced at
 *       another topic, or there as a reader only, is opened again after a pause of random length;
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
     * @param within more than 0, limited to 73 years; restarts longer ago than that do not count
     */
    public RestartPolicy atMost(int restarts, Duration within) {
        Objects.requireNonNull(within, "time");
        if (restarts < 1 || within.isZero() || within.isNegative()) {
            throw new IllegalArgumentException(
                    restarts + " restarts within " + within + "; 1 or more within more than 0 is allowed");
        }
        return new RestartPolicy(first, longest, steady, restarts, Limits.capped("time", within), afterServiceFailures);
    }

    /**
     * {@return the same policy, but after a run of this length the next pause is the first one again}
     *
     * @param run 0 or more, limited to 73 years; 10 seconds by default
     */
    public RestartPolicy steadyAfter(Duration run) {
        Objects.requireNonNull(run, "run");
        if (run.isNegative()) {
            throw new IllegalArgumentException("a run of " + run + "; 0 or more is allowed");
        }
        return new RestartPolicy(first, longest, Limits.capped("run", run), most, window, afterServiceFailures);
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
    public Attempts attempts(String decidingTopic) {
        return attempts(decidingTopic, false);
    }

    /**
     * Begins to count the failures of one chain, as {@link #attempts(String)} does.
     *
     * @param decidingTopic the topic at which a newer process replaces this one permanently; null if no topic decides
     * @param isWritten whether a service of this process writes that topic, so that only a newer writer decides; otherwise
     *     a newer reader decides as well
     * @return the count, without a failure yet
     */
    public Attempts attempts(String decidingTopic, boolean isWritten) {
        return new Attempts(this, decidingTopic, isWritten);
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

    /**
     * The failures of one chain so far, from which its {@link RestartPolicy} decides what follows the next one. Single-threaded.
     */
    public static final class Attempts {
        private static final long MAX_RANDOM_MILLIS = 2_000;
        private static final List<Class<? extends Throwable>> FINAL = List.of(
                MembershipException.class,
                LostTransportException.class,
                AccessRefusedException.class, // another attempt might lock an account
                TopicMismatchException.class,
                DamagedTopicException.class, // it is read again at the same place
                ConfigurationException.class);

        private final RestartPolicy policy;
        private final String decidingTopic;
        private final boolean isWritten; // the deciding topic, by this process
        private final Queue<Long> recent = new ArrayDeque<>(); // times of restarts within the window
        private Duration pause;
        private int restarts;

        Attempts(RestartPolicy policy, String decidingTopic, boolean isWritten) {
            this.policy = policy;
            this.decidingTopic = decidingTopic;
            this.isWritten = isWritten;
            this.pause = policy.first();
        }

        /** {@return the number of restarts since the start, not counting the attempts of a chain that stands by} */
        public int restarts() {
            return restarts;
        }

        /**
         * {@return what follows a failure, which is then included in the count}
         *
         * @param failure what stopped the chain, or prevented it from opening
         * @param ranNanos time from the beginning of the opening to the failure
         * @param nowNanos current time of the clock with which {@code ranNanos} was measured
         */
        public Step after(Throwable failure, long ranNanos, long nowNanos) {
            Throwable transport = Causes.first(failure, TransportException.class);
            Throwable cause = transport == null ? reported(failure) : transport;
            if (ranNanos >= policy.steady().toNanos()) {
                pause = policy.first();
            }
            ReplacedException replaced = decidingTopic == null ? null : Causes.first(failure, ReplacedException.class);
            if (replaced != null && isDecided(failure)) {
                return new Step(Step.Kind.REPLACED, Duration.ZERO, cause);
            }
            if (isFinal(failure, transport)) {
                return new Step(Step.Kind.GIVE_UP, Duration.ZERO, cause);
            }
            if (cause instanceof OccupiedException) {
                return new Step(Step.Kind.STAND_BY, RestartPolicy.STANDBY_PAUSE, cause);
            }
            return isOneTooMany(nowNanos)
                    ? new Step(Step.Kind.GIVE_UP, Duration.ZERO, cause)
                    : new Step(Step.Kind.RESTART, replaced == null ? next() : random(), cause);
        }

        /** Returns whether a newer process has taken over the deciding topic; of failures at once the others are suppressed. */
        private boolean isDecided(Throwable failure) {
            Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
            Queue<Throwable> next = new ArrayDeque<>(List.of(failure));
            for (Throwable each = next.poll(); each != null; each = next.poll()) {
                if (each instanceof ReplacedException replaced
                        && replaced.topic().equals(decidingTopic)
                        && (replaced.consumer() == null || !isWritten)) {
                    return true;
                }
                if (seen.add(each)) {
                    next.addAll(List.of(each.getSuppressed()));
                    if (each.getCause() != null) {
                        next.add(each.getCause());
                    }
                }
            }
            return false;
        }

        /** Returns whether a restart is useless before a change of code, a setting, a permission, or the content of a topic. */
        private boolean isFinal(Throwable failure, Throwable transport) {
            if (FINAL.stream().anyMatch(each -> Causes.first(failure, each) != null)) {
                return true;
            }
            ServiceFailure thrown = ofService(failure);
            boolean isOfService =
                    policy.isAfterServiceFailures() && thrown != null && thrown.getCause() instanceof Exception;
            boolean isLate =
                    thrown == null && Causes.first(failure, TimeoutException.class) != null; // a loop that may continue
            return transport == null && !isOfService && !isLate;
        }

        private boolean isOneTooMany(long nowNanos) {
            if (policy.most() == 0) {
                restarts++;
                return false;
            }
            long window = policy.window().toNanos();
            while (!recent.isEmpty() && nowNanos - recent.peek() >= window) {
                recent.remove();
            }
            if (recent.size() == policy.most()) {
                return true;
            }
            recent.add(nowNanos);
            restarts++;
            return false;
        }

        private Duration next() {
            Duration now = pause;
            Duration doubled = pause.multipliedBy(2);
            pause = doubled.compareTo(policy.longest()) < 0 ? doubled : policy.longest();
            return now;
        }

        /**
         * Returns a random pause, so that two processes that replaced each other at different topics do not open again at the
         * same time.
         */
        private Duration random() {
            long least = policy.first().toMillis();
            long most =
                    Math.max(least, Math.min(MAX_RANDOM_MILLIS, policy.longest().toMillis()));
            return Duration.ofMillis(ThreadLocalRandom.current().nextLong(least, most + 1));
        }

        /** Returns the failure of a service, at its start or later; null for none. */
        private static ServiceFailure ofService(Throwable failure) {
            ServiceFailure found = Causes.first(failure, ServiceFailure.class);
            return found == null ? atStart(failure) : found;
        }

        /** Returns the failure of a service's factory or of {@link Service#onStart}, whose exceptions have it as suppressed; null for none. */
        private static ServiceFailure atStart(Throwable thrown) {
            for (Throwable cause : Causes.of(thrown)) { // an error on a loop has another exception around it
                for (Throwable each : cause.getSuppressed()) {
                    if (each instanceof ServiceFailure found) {
                        return found;
                    }
                }
            }
            return null;
        }

        /** Returns the failure that names the service, if one has thrown at its start and no failure names one already. */
        private static Throwable reported(Throwable failure) {
            ServiceFailure named = Causes.first(failure, ServiceFailure.class) == null ? atStart(failure) : null;
            return named == null ? failure : named;
        }

        /**
         * The reaction to a failure. Immutable, thread-safe.
         *
         * @param kind what to do
         * @param pause pause before it; zero if nothing follows
         * @param cause the failure to report: if the transport caused the failure that the chain reported, the failure of the transport
         */
        public record Step(Kind kind, Duration pause, Throwable cause) {
            /** The kinds of steps. */
            public enum Kind {
                /** Open again after the pause. */
                RESTART,
                /** Try again after the pause, while another process occupies the topics; this is not a restart. */
                STAND_BY,
                /** Do not open again: a newer process has taken over. */
                REPLACED,
                /** Do not open again: a person has to act first, or there were too many restarts. */
                GIVE_UP
            }
        }
    }
}
