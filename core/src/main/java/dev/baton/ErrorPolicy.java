package dev.baton;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What happens to a message whose service throws: it is delivered again some number of times, at once or after a pause,
 * and then the chain stops, or the message is skipped or becomes a dead letter. An {@link Error} always stops the chain.
 *
 * <p>Later messages of the same topic or partition wait until then, so that their order stays; other chains of the loop
 * do not. A policy may differ by exception class:
 *
 * <pre>{@code
 * ErrorPolicy.stop()
 *         .on(IllegalArgumentException.class, ErrorPolicy.deadLetter())
 *         .on(IOException.class, ErrorPolicy.retry(5).after(Duration.ofMillis(200)).thenDeadLetter());
 * }</pre>
 *
 * {@link #retryUnorderedAtLeastOnce} is the other choice: later messages go on, and order and effectively-once are given up.
 * Immutable, thread-safe.
 */
public final class ErrorPolicy {
    /** The longest pause before a retry. */
    public static final Duration MAX_PAUSE = Duration.ofHours(1);

    /** How many messages of a service wait at once while later ones go on, unless {@link #maxWaiting} says otherwise. */
    public static final int DEFAULT_WAITING = 1024;

    private static final int MOST_WAITING = 1 << 16;

    private final int retries;
    private final int waiting; // most messages that wait while later ones go on; 0: later ones wait
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

    /** {@return the policy that stops the chain at the first failure, which is the default} The message stays unacknowledged. */
    public static ErrorPolicy stop() {
        return new ErrorPolicy(0, 0, 0, null, false, Map.of());
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
     * Delivers the message up to {@code times} more times, while the messages behind it go on, and then stops the chain. For
     * services whose messages do not depend on each other, and whose effects and outputs may be repeated:
     *
     * <ul>
     *   <li>outputs are not in the order of their inputs, nor is the order kept of messages with the same key;
     *   <li>nothing is lost, but after a crash or a close while messages wait, they and all that were handled behind them are
     *       delivered again, and lead to outputs again: at least once, also over transactions. While none waits, each input is
     *       answered once, as with {@link #retry}.
     * </ul>
     *
     * <p>A message that waits is kept as a copy in memory, up to {@link #maxWaiting} of them; no further message is taken from
     * the topic then. None is acknowledged before the oldest one that waits, so that a bounded topic fills up behind it, and at
     * most {@link Deployment#maxHeld} messages go on. Not for a service that {@link Service#holdsInputs holds inputs}.
     * {@link PartStatus#isOrdered} and {@link PartStatus#waiting} report it.
     *
     * @param times 1 or more
     * @return a policy that stops the chain after the last of these deliveries
     */
    public static ErrorPolicy retryUnorderedAtLeastOnce(int times) {
        return retry(times, DEFAULT_WAITING);
    }

    /**
     * {@return the same policy with at most so many messages that wait at once} Of several such policies of a service, by
     * class, the largest number counts for all.
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
     * {@return the policy that hands the message to the handler and goes on with the next one}
     *
     * @param handler called on the service's loop
     */
    public static ErrorPolicy skipTo(DeadLetterHandler handler) {
        return stop().thenSkipTo(handler);
    }

    /**
     * {@return the policy that writes the message to the service's dead-letter topic and goes on with the next one: {@link
     * #thenDeadLetter}}
     */
    public static ErrorPolicy deadLetter() {
        return stop().thenDeadLetter();
    }

    /**
     * {@return the same policy with a pause before each retry} The service's topic waits meanwhile, unless retries are
     * unordered; other chains of the loop, and the service's ticks, go on.
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
     * @param deadLetters receives what is skipped, on the service's loop
     */
    public ErrorPolicy thenSkipTo(DeadLetterHandler deadLetters) {
        Objects.requireNonNull(deadLetters, "deadLetters");
        return new ErrorPolicy(retries, waiting, pauseNanos, deadLetters, false, byClass);
    }

    /**
     * {@return the same retries, after which the message is written to the service's dead-letter topic ({@link
     * Chain#deadLetterTopic}) instead of stopping the chain} The message counts as handled when its letter is stored, so none
     * is lost; after a crash between the two it may be there twice, with the same {@link DeadLetter#sequence}. A service that
     * holds inputs ({@link Service#holdsInputs}) gets those again after each start, and writes the letters of those that fail
     * again, except for the newest. A letter that cannot be written stops the chain, and its message stays. On durable
     * transports only.
     */
    public ErrorPolicy thenDeadLetter() {
        return new ErrorPolicy(retries, waiting, pauseNanos, null, true, byClass);
    }

    /**
     * {@return the same policy, but with another one for exceptions of a class and of those derived from it} The nearest
     * class counts.
     *
     * @param type any exception; not an {@link Error}, which always stops the chain
     * @param policy without classes of its own
     * @throws IllegalArgumentException when the class has a policy already, or the policy has classes
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

    /** The policy for what was thrown: that of its nearest class, or this one. */
    ErrorPolicy of(Throwable thrown) {
        if (byClass.isEmpty()) {
            return this;
        }
        for (Class<?> type = thrown.getClass(); type != null; type = type.getSuperclass()) {
            ErrorPolicy found = byClass.get(type);
            if (found != null) {
                return found;
            }
        }
        return this;
    }

    int retries() {
        return retries;
    }

    /** Whether messages behind a failed one go on while it waits. */
    boolean isUnordered() {
        return waiting > 0;
    }

    /** The most messages that wait while later ones go on; 0: none does. */
    int mostWaiting() {
        return byClass.values().stream().mapToInt(ErrorPolicy::mostWaiting).reduce(waiting, Math::max);
    }

    long pauseNanos() {
        return pauseNanos;
    }

    /** Receives what is skipped; null: it is not skipped. */
    DeadLetterHandler handler() {
        return handler;
    }

    boolean writesDeadLetters() {
        return writesDeadLetters;
    }

    /** Whether any failure leads to a dead letter. */
    boolean mayWriteDeadLetters() {
        return writesDeadLetters || byClass.values().stream().anyMatch(ErrorPolicy::writesDeadLetters);
    }
}
