package dev.baton;

import java.util.Objects;

/**
 * What happens to a message whose service throws: it is delivered again some number of times, and then the chain stops
 * or the message is skipped. An {@link Error} always stops the chain. Immutable, thread-safe.
 */
public final class ErrorPolicy {
    private final int retries;
    private final DeadLetterHandler deadLetters;

    private ErrorPolicy(int retries, DeadLetterHandler deadLetters) {
        this.retries = retries;
        this.deadLetters = deadLetters;
    }

    /** Stops the chain at the first failure; the message stays unacknowledged. The default. */
    public static ErrorPolicy stop() {
        return new ErrorPolicy(0, null);
    }

    /** Delivers the message up to {@code times} more times, in later sweeps, and then stops the chain. */
    public static ErrorPolicy retry(int times) {
        if (times < 1) {
            throw new IllegalArgumentException(times + " retries; at least 1 is allowed");
        }
        return new ErrorPolicy(times, null);
    }

    /** Hands the message to the handler and goes on with the next one. */
    public static ErrorPolicy skipTo(DeadLetterHandler deadLetters) {
        return stop().thenSkipTo(deadLetters);
    }

    /** The same retries, but the message is then skipped instead of stopping the chain. */
    public ErrorPolicy thenSkipTo(DeadLetterHandler handler) {
        return new ErrorPolicy(retries, Objects.requireNonNull(handler, "deadLetters"));
    }

    int retries() {
        return retries;
    }

    /** Null: stop. */
    DeadLetterHandler deadLetters() {
        return deadLetters;
    }
}
