package dev.baton.engine.cycle;

import dev.baton.engine.chain.ChainState;

/**
 * Reports the dead letters of one service in the log: the first one with its cause at once, and later ones by their number, at
 * most once in {@link #PAUSE_NANOS}. Confined to its loop.
 */
public final class LetterLog {
    /** The shortest time between two lines. */
    static final long PAUSE_NANOS = 60_000_000_000L;

    private final ChainState state;
    private final ServicePlan plan;
    private long count; // since the start
    private long logged; // of them, those that a line has counted
    private long loggedAt;
    private long sequence; // of the newest one's message
    private Throwable cause; // the newest one's

    LetterLog(ChainState state, ServicePlan plan) {
        this.state = state;
        this.plan = plan;
    }

    /** A letter is stored. */
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

    /** Reports those that no line has counted yet. */
    void close() {
        if (count > logged) {
            logCount();
            logged = count;
        }
    }
}
