package dev.baton.lab.engines;

/** Tells a thread to end: a flag, as an interrupt would break what the libraries are doing. Thread-safe. */
final class StopSignal {
    private volatile boolean isSet;

    boolean isSet() {
        return isSet;
    }

    void set() {
        isSet = true;
    }
}
