package dev.baton.engine.cycle;

/** What feeds a topic, as the next part sees it when the chain closes. */
public interface Upstream {
    /** Answer of {@link #drainedAt} while there may be more. */
    long NOT_YET = -1;

    /** The last sequence that will ever come from here, or {@link #NOT_YET}. Called by any thread. */
    long drainedAt();

    /** Returns whether it wakes the loop that reads the topic, if that is another one, whenever it has written there. */
    default boolean wakesReader() {
        return false;
    }
}
