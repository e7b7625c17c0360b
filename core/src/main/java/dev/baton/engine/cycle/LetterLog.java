package dev.baton.engine.cycle;

import dev.baton.engine.chain.ChainState;
import dev.baton.engine.plan.PartPlan;

/**
 * Logs the dead letters of one service: the first one at once with its cause, and later ones as a count, at most once per
 * {@link #PAUSE_NANOS}. Confined to its loop.
 */
final class LetterLog {
    /** The minimum time between two log lines. */
    static final long PAUSE_NANOS = 60_000_000_000L;

    private final ChainState state;
    private final PartPlan plan;
    private long count; // letters since the start
    private long logged; // letters that a log line has counted
    private long loggedAt;
    private long sequence; // of the newest letter's message
    private Throwable cause; // of the newest letter

    LetterLog(ChainState state, PartPlan plan) {
        this.state = state;
        this.plan = plan;
    }

    /** Records that a letter is stored. */
    void stored(long ofMessage, Throwable thrown) {
        count++;
        sequence = ofMessage;
        cause = thrown;
        long now = state.environment().nanoTime();
        if (count == 1) {
            state.warn(
                    "service " + plan.name() + " gave up on message " + sequence + " of topic " + plan.input()
                            + ", which is a dead letter in topic " + plan.deadLetters() + ": " + cause
                            + ". Later ones are counted here, at most once a minute",
                    cause);
            logged(now);
        } else if (now - loggedAt >= PAUSE_NANOS) {
            logCount();
            logged(now);
        }
    }

    private void logged(long now) {
        logged = count;
        loggedAt = now;
    }

    private void logCount() {
        state.warn(
                "service " + plan.name() + " has " + (count - logged) + " more dead letters in topic "
                        + plan.deadLetters() + ", " + count + " since the start; the newest is message " + sequence
                        + " of topic " + plan.input() + ": " + cause,
                null);
    }

    /** Logs the letters that no line has counted yet. */
    void close() {
        if (count > logged) {
            logCount();
            logged = count;
        }
    }
}
