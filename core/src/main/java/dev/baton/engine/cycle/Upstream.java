package dev.baton.engine.cycle;

/** The part or inlet that feeds a topic, as seen by the next part when the chain closes. */
public interface Upstream {
    /** A result of {@link #drainedAt}: more messages may follow. */
    long NOT_YET = -1;

    /** Returns the sequence of the last message that is ever sent, or {@link #NOT_YET}. Called by any thread. */
    long drainedAt();

    /** Returns whether it wakes the loop that reads the topic, if that is another one, whenever it has written there. */
    default boolean wakesReader() {
        return false;
    }
}
