package dev.baton;

import dev.baton.spi.errors.AccessRefusedException;
import dev.baton.spi.errors.MembershipException;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;

/**
 * The failures of one chain so far, from which its {@link RestartPolicy} decides what follows the next one. Single-threaded.
 */
public final class RestartAttempts {
    private static final long MAX_RANDOM_MILLIS = 2_000;

    private final RestartPolicy policy;
    private final String decidingTopic;
    private final Queue<Long> recent = new ArrayDeque<>(); // times of restarts within the window
    private Duration pause;
    private int restarts;

    RestartAttempts(RestartPolicy policy, String decidingTopic) {
        this.policy = policy;
        this.decidingTopic = decidingTopic;
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
        Throwable transport = behind(failure, TransportException.class);
        Throwable cause = transport == null ? failure : transport;
        if (ranNanos >= policy.steady().toNanos()) {
            pause = policy.first();
        }
        ReplacedException replaced = decidingTopic == null ? null : behind(failure, ReplacedException.class);
        if (replaced != null && replaced.topic().equals(decidingTopic)) {
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

    /** Returns whether a restart is useless before a change of code, a setting, a permission, or the content of a topic. */
    private boolean isFinal(Throwable failure, Throwable transport) {
        if (behind(failure, MembershipException.class) != null
                || behind(failure, AccessRefusedException.class) != null // another attempt might lock an account
                || behind(failure, TopicMismatchException.class) != null
                || behind(failure, ConfigurationException.class) != null) {
            return true;
        }
        ServiceFailure thrown = behind(failure, ServiceFailure.class);
        boolean isOfService =
                policy.isAfterServiceFailures() && thrown != null && thrown.getCause() instanceof Exception;
        boolean isLate = thrown == null && behind(failure, TimeoutException.class) != null; // a loop that may continue
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
        long most = Math.max(least, Math.min(MAX_RANDOM_MILLIS, policy.longest().toMillis()));
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(least, most + 1));
    }

    /** Returns the first exception of a class among a failure and its causes; null for none. */
    private static <T extends Throwable> T behind(Throwable failure, Class<T> kind) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (kind.isInstance(each)) {
                return kind.cast(each);
            }
        }
        return null;
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
