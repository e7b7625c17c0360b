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
 * Immutable, thread-safe.
 */
public final class ErrorPolicy {
    /** The longest pause before a retry. */
    public static final Duration MAX_PAUSE = Duration.ofHours(1);

    private final int retries;
    private final long pauseNanos;
    private final DeadLetterHandler handler;
    private final boolean writesDeadLetters;
    private final Map<Class<?>, ErrorPolicy> byClass;

    private ErrorPolicy(
            int retries,
            long pauseNanos,
            DeadLetterHandler handler,
            boolean writesDeadLetters,
            Map<Class<?>, ErrorPolicy> byClass) {
        this.retries = retries;
        this.pauseNanos = pauseNanos;
        this.handler = handler;
        this.writesDeadLetters = writesDeadLetters;
        this.byClass = byClass;
    }

    /** Stops the chain at the first failure; the message stays unacknowledged. The default. */
    public static ErrorPolicy stop() {
        return new ErrorPolicy(0, 0, null, false, Map.of());
    }

    /**
     * Delivers the message up to {@code times} more times, in later sweeps, and then stops the chain.
     *
     * @param times 1 or more
     */
    public static ErrorPolicy retry(int times) {
        if (times < 1) {
            throw new IllegalArgumentException(times + " retries; at least 1 is allowed");
        }
        return new ErrorPolicy(times, 0, null, false, Map.of());
    }

    /** Hands the message to the handler and goes on with the next one. */
    public static ErrorPolicy skipTo(DeadLetterHandler handler) {
        return stop().thenSkipTo(handler);
    }

    /** Writes the message to the service's dead-letter topic and goes on with the next one: {@link #thenDeadLetter}. */
    public static ErrorPolicy deadLetter() {
        return stop().thenDeadLetter();
    }

    /**
     * The same with a pause before each retry. The service's topic waits meanwhile; other chains of the loop, and the
     * service's ticks, go on.
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
        return new ErrorPolicy(retries, pause.toNanos(), handler, writesDeadLetters, byClass);
    }

    /** The same retries, but the message is then skipped instead of stopping the chain. */
    public ErrorPolicy thenSkipTo(DeadLetterHandler deadLetters) {
        return new ErrorPolicy(retries, pauseNanos, Objects.requireNonNull(deadLetters, "deadLetters"), false, byClass);
    }

    /**
     * The same retries, but the message is then written to the service's dead-letter topic ({@link
     * Chain#deadLetterTopic}) instead of stopping the chain. The message counts as handled when its letter is stored, so
     * none is lost; after a crash between the two it may be there twice, with the same {@link DeadLetter#sequence}. A service
     * that holds inputs ({@link Service#holdsInputs}) gets those again after each start, and writes the letters of those that
     * fail again, except for the newest. A letter that cannot be written stops the chain, and its message stays. On durable
     * transports only.
     */
    public ErrorPolicy thenDeadLetter() {
        return new ErrorPolicy(retries, pauseNanos, null, true, byClass);
    }

    /**
     * The same, but with another policy for exceptions of a class and of those derived from it. The nearest class counts.
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
        return new ErrorPolicy(retries, pauseNanos, handler, writesDeadLetters, extended);
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
