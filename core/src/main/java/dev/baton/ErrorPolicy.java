package dev.baton;

import dev.baton.deadletters.DeadLetter;
import dev.baton.status.InputStatus;
import dev.baton.status.PartStatus;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A policy for messages whose service throws: the message is delivered again a number of times, at once or after a pause. After
 * that the chain stops, or the message is skipped or becomes a dead letter. An {@link Error} always stops the chain; a {@link
 * ConfigurationException} does unless {@link #on} names its class.
 *
 * <p>Later messages of the same topic or partition wait meanwhile, so their order is kept; other chains of the loop do not
 * wait. Of a service with a {@link Concurrency}, only later messages of the same key wait, and outputs. A policy may depend on the class of the exception:
 *
 * <pre>{@code
 * ErrorPolicy.stop()
 *         .on(IllegalArgumentException.class, ErrorPolicy.deadLetter())
 *         .on(IOException.class, ErrorPolicy.retry(5).after(Duration.ofMillis(200)).thenDeadLetter());
 * }</pre>
 *
 * A service with a state, or one that holds inputs, stops at its first failure unless {@link Service#isFailureAtomic} is true.
 * With {@link #retryUnorderedAtLeastOnce} later messages do not wait, and order and effectively-once delivery are given up.
 * Immutable, thread-safe.
 */
public final class ErrorPolicy {
    /** The longest pause before a retry. */
    public static final Duration MAX_PAUSE = Duration.ofHours(1);

    /**
     * The default of {@link #maxWaiting}: the number of messages of a service that may wait at once while later ones are
     * handled.
     */
    public static final int DEFAULT_WAITING = 1024;

    private static final int MOST_WAITING = 1 << 16;
    private static final ErrorPolicy STOP = new ErrorPolicy(0, 0, 0, null, false, Map.of());

    private final int retries;
    private final int waiting; // maximum of messages that wait while later ones are handled; 0 if later ones wait
    private final long pauseNanos;
    private final DeadLetterHandler handler;
    private final boolean writesDeadLetters;
    private final Map<Class<?>, ErrorPolicy> byClass;

    private ErrorPolicy(
            int retries,
            int waiting,
            long pauseNanos,
            DeadLetterHandler handler,
            boolean writesDeadLetters,
            Map<Class<?>, ErrorPolicy> byClass) {
        this.retries = retries;
        this.waiting = waiting;
        this.pauseNanos = pauseNanos;
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
        return retry(times, 0);
    }

    private static ErrorPolicy retry(int times, int waiting) {
        if (times < 1) {
            throw new IllegalArgumentException(times + " retries; at least 1 is allowed");
        }
        return new ErrorPolicy(times, waiting, 0, null, false, Map.of());
    }

    /**
     * {@return the policy that delivers the message up to {@code times} more times, while later messages are handled, and
     * then stops the chain} Use it for services whose messages do not depend on each other, and whose effects and outputs
     * may be repeated:
     *
     * <ul>
     *   <li>Outputs are not in the order of their inputs, even for messages with the same key.
     * <li>Nothing is lost. But after a crash or a close while messages wait, they and all later messages that were handled
     *     are delivered again, and their outputs are sent again: delivery is at least once, also with transactions. While
     *     no message waits, each input is answered once, as with {@link #retry}.
     * </ul>
     *
     * <p>A waiting message is kept as a copy in memory. When {@link #maxWaiting} messages wait, no further message is taken
     * from the topic. No message is acknowledged before the oldest waiting one. A bounded topic therefore fills up
     * meanwhile, and at most {@link Deployment#maxHeld} messages are handled meanwhile. Not for a service that {@link
     * Service#holdsInputs holds inputs}. {@link PartStatus#isOrdered} and {@link InputStatus#waiting} report the state.
     *
     * @param times 1 or more
     */
    public static ErrorPolicy retryUnorderedAtLeastOnce(int times) {
        return retry(times, DEFAULT_WAITING);
    }

    /**
     * {@return the same policy with another maximum of messages that wait at once} If a service has several such policies by
     * class, the largest number applies to all of them.
     *
     * @param messages 1 to 65,536
     * @throws IllegalStateException for a policy that does not begin with {@link #retryUnorderedAtLeastOnce}
     */
    public ErrorPolicy maxWaiting(int messages) {
        if (messages < 1 || messages > MOST_WAITING) {
            throw new IllegalArgumentException(messages + " messages that wait; 1 to " + MOST_WAITING + " is allowed");
        }
        if (waiting == 0) {
            throw new IllegalStateException(
                    "one message waits, and those behind it; begin with retryUnorderedAtLeastOnce(times)");
        }
        return new ErrorPolicy(retries, messages, pauseNanos, handler, writesDeadLetters, byClass);
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
     * unordered. Other chains of the loop and the service's ticks continue.
     *
     * @param pause 0 to {@link #MAX_PAUSE}
     * @throws IllegalStateException without retries
     */
    public ErrorPolicy after(Duration pause) {
        Objects.requireNonNull(pause, "pause");
        if (pause.isNegative() || pause.compareTo(MAX_PAUSE) > 0) {
            throw new IllegalArgumentException(
                    "a pause of " + pause + " before a retry; 0 to " + MAX_PAUSE + " is allowed");
        }
        if (retries == 0) {
            throw new IllegalStateException("a pause without retries; begin with retry(times)");
        }
        return new ErrorPolicy(retries, waiting, pause.toNanos(), handler, writesDeadLetters, byClass);
    }

    /**
     * {@return the same retries, after which the message is skipped instead of stopping the chain}
     *
     * @param deadLetters receives skipped messages, on the service's loop
     */
    public ErrorPolicy thenSkipTo(DeadLetterHandler deadLetters) {
        Objects.requireNonNull(deadLetters, "deadLetters");
        return new ErrorPolicy(retries, waiting, pauseNanos, deadLetters, false, byClass);
    }

    /**
     * {@return the same retries, after which the message is written to the service's dead-letter topic ({@link
     * Chain#deadLetterTopic}) instead of stopping the chain} The message counts as handled when its letter is stored, so none
     * is lost. After a crash between storing and acknowledging there may be two letters with the same {@link
     * DeadLetter#sequence}. A service that holds inputs ({@link Service#holdsInputs}) receives them again after each start, and
     * writes letters for those that fail again, except for the newest one. If a letter cannot be written, the chain stops and
     * the message remains unacknowledged. On durable transports only.
     */
    public ErrorPolicy thenDeadLetter() {
        return new ErrorPolicy(retries, waiting, pauseNanos, null, true, byClass);
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
        return new ErrorPolicy(retries, waiting, pauseNanos, stored, true, byClass);
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
            throw new IllegalArgumentException(
                    "the policy for " + type.getName() + " has policies by class itself; add them to the outer one");
        }
        Map<Class<?>, ErrorPolicy> extended = new HashMap<>(byClass);
        if (extended.put(type, policy) != null) {
            throw new IllegalArgumentException(type.getName() + " has a policy already");
        }
        return new ErrorPolicy(retries, waiting, pauseNanos, handler, writesDeadLetters, extended);
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

    /** {@return whether later messages are delivered while a failed one waits for its next delivery} */
    public boolean isUnordered() {
        return waiting > 0;
    }

    /** {@return the maximum number of messages that wait while later ones are delivered; 0 for none} */
    public int mostWaiting() {
        return byClass.values().stream().mapToInt(ErrorPolicy::mostWaiting).reduce(waiting, Math::max);
    }

    /** {@return the pause between two deliveries, in nanoseconds} */
    public long pauseNanos() {
        return pauseNanos;
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
}
