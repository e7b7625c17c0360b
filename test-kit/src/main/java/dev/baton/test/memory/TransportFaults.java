package dev.baton.test.memory;

/**
 * The faults of a process over topics in memory. By default there are none: every method answers as an undisturbed transport behaves.
 * Called by the threads that use the process; {@link #NONE} by any.
 */
public interface TransportFaults {
    /** No faults. */
    TransportFaults NONE = new TransportFaults() {};

    /** The result of {@link #capacity} when only the writer's own capacity limits it. */
    int UNLIMITED = Integer.MAX_VALUE;

    /** {@return the most frames that a poll hands over, at most the given limit} */
    default int polled(int limit) {
        return limit;
    }

    /** {@return the number of commits that a writer accepts until the next turn of its connection} */
    default int capacity() {
        return UNLIMITED;
    }

    /** {@return whether a flush is stored by a later turn of the connection} */
    default boolean storesLate() {
        return false;
    }

    /** {@return the number of flushes in flight that this turn stores} */
    default int arriving(int flushes) {
        return flushes;
    }

    /** {@return the number of flushes in flight that are stored though their writer was killed} */
    default int arrivingAfterDeath(int flushes) {
        return 0;
    }

    /** {@return the index of the acknowledged position that a consumer has after a kill; the last index is the newest position} */
    default int remembered(int positions) {
        return positions - 1;
    }

    /** {@return the byte that fills a claim before anything is written} */
    default byte garbage() {
        return (byte) 0xdb;
    }

    /** Called before each step of the process, which the name describes; the step throws what this throws. */
    default void step(MemoryProcess process, String name) {}
}
