package dev.baton.lab.trial.ends;

import dev.baton.Claim;

/**
 * Sends the messages that a chain's provider writes, and times the provider's part. Confined to the thread that sends; {@link
 * #meanNanos} for one that has seen it end.
 */
public final class ProvidedSender extends ClaimingSender {
    /** At a rate of so many per second and less, every message's writing is timed. */
    private static final double EVERY_MESSAGE_RATE = 10_000;

    private static final int SELDOM_MASK = 15;

    private final ProvidedMessages messages;
    private final Window window;
    private final int mask;
    private long timedNanos;
    private long timed;

    /**
     * Creates a sender.
     *
     * @param ratePerSecond of the instance
     */
    ProvidedSender(ProvidedMessages messages, Window window, double ratePerSecond) {
        this.messages = messages;
        this.window = window;
        mask = ratePerSecond <= EVERY_MESSAGE_RATE ? 0 : SELDOM_MASK;
    }

    @Override
    public boolean trySend(long number, long originNanos, int tag) {
        Claim claim = claim(messages.maxPayload, originNanos, null);
        if (claim == null) {
            return false;
        }
        int length = write(number, originNanos, claim);
        if (length < 0 || length > messages.maxPayload) {
            claim.abort();
            throw failed(number, length + " bytes; 0 to " + messages.maxPayload + " are allowed", null);
        }
        messages.note(number, originNanos, tag);
        claim.commit(length);
        return true;
    }

    private int write(long number, long originNanos, Claim claim) {
        try {
            if ((number & mask) != 0 || originNanos - window.measureNanos() < 0) {
                return messages.generator.write(number, claim);
            }
            long begun = System.nanoTime();
            int length = messages.generator.write(number, claim);
            timedNanos += System.nanoTime() - begun;
            timed++;
            return length;
        } catch (RuntimeException | LinkageError thrown) {
            claim.abort();
            throw failed(number, thrown.toString(), thrown);
        }
    }

    private IllegalStateException failed(long number, String what, Throwable cause) {
        return new IllegalStateException(
                "the generator of chain " + messages.chain + " failed at message " + (number + 1) + ": " + what, cause);
    }

    /** {@return the provider's average time to write a measured message; NaN when none was timed} */
    public double meanNanos() {
        return timed == 0 ? Double.NaN : timedNanos / (double) timed;
    }
}
