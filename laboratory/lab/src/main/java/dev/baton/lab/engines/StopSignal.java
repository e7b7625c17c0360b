package dev.baton.lab.engines;

/**
 * Tells a thread how it is to end: a flag, as an interrupt would break what the libraries are doing. It is told first to
 * drain, once nothing is written any more into what it reads. Thread-safe.
 */
final class StopSignal {
    static final int RUNNING = 0;
    static final int DRAINING = 1;
    static final int SET = 2;

    private volatile int state = RUNNING;

    /** One of the constants; for loops that need more than {@link #isSet} and read but once. */
    int state() {
        return state;
    }

    boolean isSet() {
        return state == SET;
    }

    /** What is read has its last message; set after that was written. Before {@link #set}. */
    void drain() {
        state = DRAINING;
    }

    void set() {
        state = SET;
    }
}
