package dev.baton;

import dev.baton.deadletters.DeadLetter;
import dev.baton.status.PartStatus.InputStatus;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * A policy for messages whose service throws: the message is delivered again a number of times, at once or after a pause. After
 * that the chain stops, or the message is skipped or becomes a dead letter. An {@link Error} always stops the chain; a {@link
 * ConfigurationException} does unless {@link #on} names its class.
 *
 * <p>Later messages of the same topic or partition wait meanwhile, so their order is kept; other chains of the loop do not
 * wait. With a {@link Concurrency}, only later messages with the same key wait to be handled; outputs of later messages wait
 * too. A policy may depend on the class of the exception:
 *
 * <pre>{@code
 * ErrorPolicy.stop()
 *         .on(IllegalArgumentException.class, ErrorPolicy.deadLetter())
 *         .on(IOException.class, ErrorPolicy.retry(5)
 *                 .backoff(Duration.ofMillis(200), Duration.ofSeconds(5)).perKey().thenDeadLetter());
 * }</pre>
 *
 * A service with a state, or one that holds inputs, stops at its first failure unless {@link Service#isFailureAtomic} is true.
 * With {@link #perKey} only messages with the same key wait. Immutable, thread-safe.
 */
public final class ErrorPolicy {
    /** The longest pause before a retry. */
    public static final Duration MAX_PAUSE = Duration.ofHours(1);

    /** The default maximum number of messages of a service that are set aside: {@link #perKey()}. */
    public static final int DEFAULT_SET_ASIDE = 10_000;

    private static final int MOST_SET_ASIDE = 1_000_000;
    private static final Pauses NO_PAUSE = new Pauses(0, 0, false);
    private static final ErrorPolicy STOP = new ErrorPolicy(0, 0, NO_PAUSE, null, false, Map.of());

    private final int retries;
    private final int setAside; // maximum of messages that are set aside; 0 if all later messages wait
    private final Pauses pauses;
    private final DeadLetterHandler handler;
    private final boolean writesDeadLetters;
    private final Map<Class<?>, ErrorPolicy> byClass;

    /** The pauses before retries: the first, the longest, and whether they vary. */
    private record Pauses(long firstNanos, long mostNanos, boolean vary) {}

    private ErrorPolicy(
            int retries,
            int setAside,
            Pauses pauses,
            DeadLetterHandler handler,
            boolean writesDeadLetters,
            Map<Class<?>, ErrorPolicy> byClass) {
        this.retries = retries;
        this.setAside = setAside;
        this.pauses = pauses;
        this.handler = handler;
        this.writesDeadLetters = writesDeadLetters;
        this.byClass = byClass;
    }

    /**
     * {@return the policy that stops the chain at the first failure, which is the default} The message remains unacknowledged.
     */
    public static ErrorPolicy stop() {
        return STOP;
    }

    /**
     * {@return the policy that delivers the message up to {@code times} more times, in later sweeps, and then stops the
     * chain}
     *
     * @param times 1 or more
     */
    public static ErrorPolicy retry(int times) {
        if (times < 1) {
            throw new IllegalArgumentException(times + " retries; at least 1 is allowed");
        }
        return new ErrorPolicy(times, 0, NO_PAUSE, null, false, Map.of());
    }

    /** {@return the same policy with retries that delay only messages with the same key, at most 10,000: {@link #perKey(int)}} */
    public ErrorPolicy perKey() {
        return perKey(DEFAULT_SET_ASIDE);
    }

    /**
     * {@return the same policy with retries that delay only later messages with the same key} Messages without a key count as
     * one key. The order of messages with the same key is kept, the order of different keys is not; outputs are sent once, as
     * with every policy.
     *
     * <p>The message that failed, and later ones with its key, are set aside: they are stored in a topic of the service ({@link
     * Chain#retryTopic}) before they are acknowledged, and a copy of each remains in memory. They are retried one after the other
     * until the last of the key is handled. After a restart, messages that are set aside are delivered again at once, with all
     * their attempts. An orderly close does not wait for them on durable transports. {@link InputStatus#waiting} is their number.
     *
     * <p>Setting a message aside, and sending outputs of retries, each wait for the storage of the transport. For services that
     * neither hold inputs nor have a state or a {@link Concurrency}.
     *
     * @param maxSetAside maximum number of messages that are set aside, 1 to 1,000,000; of several such policies by class, the
     *     largest applies. At the maximum the service stops at the next message that would have to be set aside: back-pressure
     * @throws IllegalStateException without retries
     */
    public ErrorPolicy perKey(int maxSetAside) {
        if (maxSetAside < 1 || maxSetAside > MOST_SET_ASIDE) {
            throw new IllegalArgumentException(
                    maxSetAside + " messages that are set aside; 1 to " + MOST_SET_ASIDE + " are allowed");
        }
        requireRetries("retries per key");
        return new ErrorPolicy(retries, maxSetAside, pauses, handler, writesDeadLetters, byClass);
    }

    private void requireRetries(String what) {
        if (retries == 0) {
            throw new IllegalStateException(what + " without retries; begin with retry(times)");
        }
    }

    /**
     * {@return the policy that hands the message to the handler and continues with the next one}
     *
     * @param handler handler, called on the service's loop
     */
    public static ErrorPolicy skipTo(DeadLetterHandler handler) {
        return stop().thenSkipTo(handler);
    }

    /**
     * {@return the policy that writes the message to the service's dead-letter topic and continues with the next one: {@link
     * #thenDeadLetter}}
     */
    public static ErrorPolicy deadLetter() {
        return stop().thenDeadLetter();
    }

    /**
     * {@return the policy that writes the message to the service's dead-letter topic, then calls the handler and continues
     * with the next message: {@link #thenDeadLetter(DeadLetterHandler)}}
     *
     * @param handler handler, called on the service's loop
     */
    public static ErrorPolicy deadLetter(DeadLetterHandler handler) {
        return stop().thenDeadLetter(handler);
    }

    /**
     * {@return the same policy with a pause before each retry} The service's topic waits meanwhile, unless retries are
     * {@link #perKey}. Other chains of the loop and the service's ticks continue.
     *
     * @param pause 0 to {@link #MAX_PAUSE}
     * @throws IllegalStateException without retries
     */
    public ErrorPolicy after(Duration pause) {
        long nanos = nanos(pause);
        return withPauses(new Pauses(nanos, nanos, false));
    }

    /**
     * {@return the same policy with pauses before retries that double each time, up to a maximum} Each pause is shortened by up to
     * a half, so that messages that failed together are not retried together. The share depends on the message and the attempt
     * alone, so that a test or a replay has the same pauses.
     *
     * @param first first pause, 0 to {@code most}
     * @param most longest pause, up to {@link #MAX_PAUSE}
     * @throws IllegalStateException without retries
     */
    public ErrorPolicy backoff(Duration first, Duration most) {
        Objects.requireNonNull(first, "first");
        Objects.requireNonNull(most, "most");
        if (first.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    "a first pause of " + first + "; 0 to " + most + ", the longest, is allowed");
        }
        return withPauses(new Pauses(nanos(first), nanos(most), true));
    }

    private static long nanos(Duration pause) {
        Objects.requireNonNull(pause, "pause");
        if (pause.isNegative() || pause.compareTo(MAX_PAUSE) > 0) {
            throw new IllegalArgumentException(
                    "a pause of " + pause + " before a retry; 0 to " + MAX_PAUSE + " is allowed");
        }
        return pause.toNanos();
    }

    private ErrorPolicy withPauses(Pauses before) {
        requireRetries("a pause");
        return new ErrorPolicy(retries, setAside, before, handler, writesDeadLetters, byClass);
    }

    /**
     * {@return the same retries, after which the message is skipped instead of stopping the chain}
     *
     * @param deadLetters receives skipped messages, on the service's loop
     */
    public ErrorPolicy thenSkipTo(DeadLetterHandler deadLetters) {
        Objects.requireNonNull(deadLetters, "deadLetters");
        return new ErrorPolicy(retries, setAside, pauses, deadLetters, false, byClass);
    }

    /**
     * {@return the same retries, after which the message is written to the service's dead-letter topic ({@link
     * Chain#deadLetterTopic}) instead of stopping the chain} The message counts as handled when its letter is stored, so none
     * is lost. After a crash messages whose letters are stored are not handled again, except for older ones of many; these may have two
     * letters with the same {@link DeadLetter#sequence}. If a letter cannot be written, the chain stops and the message remains
     * unacknowledged. On durable transports only.
     */
    public ErrorPolicy thenDeadLetter() {
        return new ErrorPolicy(retries, setAside, pauses, null, true, byClass);
    }

    /**
     * {@return the same policy as {@link #thenDeadLetter()}, which also calls a handler} The handler is called when the letter
     * is stored, before the next message is delivered: for instance to answer the request that the message came from. After a
     * crash between the two it is not called for that letter.
     *
     * @param stored receives messages whose letters are stored, on the service's loop
     */
    public ErrorPolicy thenDeadLetter(DeadLetterHandler stored) {
        Objects.requireNonNull(stored, "stored");
        return new ErrorPolicy(retries, setAside, pauses, stored, true, byClass);
    }

    /**
     * {@return the same policy, but with another one for exceptions of a class and its subclasses} The nearest class
     * applies. For a {@link ConfigurationException} only policies for that class and its subclasses apply, not those for
     * {@link RuntimeException} or {@link Exception}.
     *
     * @param type class of an exception; not an {@link Error}, which always stops the chain
     * @param policy policy for this class, which itself does not depend on the class
     * @throws IllegalArgumentException if the class has a policy already, or if {@code policy} depends on the class
     */
    public ErrorPolicy on(Class<? extends Exception> type, ErrorPolicy policy) {
        if (!policy.byClass.isEmpty()) {
            throw new IllegalArgumentException("the policy for " + type.getName()
                    + " must not contain policies by class; add them to the outer one");
        }
        Map<Class<?>, ErrorPolicy> extended = new HashMap<>(byClass);
        if (extended.put(type, policy) != null) {
            throw new IllegalArgumentException(type.getName() + " has a policy already");
        }
        return new ErrorPolicy(retries, setAside, pauses, handler, writesDeadLetters, extended);
    }

    /**
     * {@return the policy for an exception: that of its nearest class, or this one} A {@link ConfigurationException} stops
     * the chain unless a policy names it.
     *
     * @param thrown exception thrown by a service
     */
    public ErrorPolicy of(Throwable thrown) {
        for (Class<?> type = thrown.getClass(); type != null; type = type.getSuperclass()) {
            ErrorPolicy found = byClass.get(type);
            if (found != null) {
                return found;
            }
            if (type == ConfigurationException.class) {
                return STOP;
            }
        }
        return this;
    }

    /** {@return the maximum number of further deliveries; 0 for none} */
    public int retries() {
        return retries;
    }

    /** {@return whether a message that failed is set aside, while messages with other keys are delivered} */
    public boolean isPerKey() {
        return setAside > 0;
    }

    /** {@return the maximum number of messages that are set aside, by this policy or that of a class; 0 for none} */
    public int mostSetAside() {
        return byClass.values().stream().mapToInt(ErrorPolicy::mostSetAside).reduce(setAside, Math::max);
    }

    /**
     * {@return the pause before the next delivery, in nanoseconds}
     *
     * @param failures number of failed deliveries, 1 or more
     * @param seed number of the message; with the number of failures it determines by how much the pause is shortened
     */
    public long pauseNanos(int failures, long seed) {
        int doublings = Math.min(failures - 1, Long.numberOfLeadingZeros(pauses.firstNanos) - 2);
        long longest = Math.min(pauses.mostNanos, pauses.firstNanos << Math.max(0, doublings));
        return pauses.vary && longest > 1
                ? longest - new SplittableRandom(seed * 31 + failures).nextLong(longest / 2)
                : longest;
    }

    /** {@return the handler of messages that are skipped or whose dead letters are stored; null for none} */
    public DeadLetterHandler handler() {
        return handler;
    }

    /** {@return whether this policy, apart from those of single classes, writes dead letters} */
    public boolean writesDeadLetters() {
        return writesDeadLetters;
    }

    /** {@return whether the same instance handles messages after any failure: the message is delivered again or skipped} */
    public boolean continuesAfterFailures() {
        return retries > 0
                || handler != null
                || writesDeadLetters
                || byClass.values().stream().anyMatch(ErrorPolicy::continuesAfterFailures);
    }

    /** {@return whether any failure leads to a dead letter} */
    public boolean mayWriteDeadLetters() {
        return writesDeadLetters || byClass.values().stream().anyMatch(ErrorPolicy::writesDeadLetters);
    }

    /** A handler for messages that a policy skips. Called on the loop of the service that failed. */
    @FunctionalInterface
    public interface DeadLetterHandler {
        /**
         * Receives a message that is about to be skipped, or whose dead letter is stored. On the service's loop, so it must not
         * block.
         *
         * @param service name of the service that failed
         * @param in message with its payload and key, valid until this method returns
         * @param attempts number of deliveries, 1 or more
         * @param cause exception that the service threw at the last one
         * @throws Exception any exception. If the message is skipped, the chain then stops and the message remains
         *     unacknowledged. If its dead letter is stored, the exception is logged
         */
        void onDeadLetter(String service, Message in, int attempts, Throwable cause) throws Exception;
    }
}
