package dev.baton.simulation;

/** Unwinds what a simulated process was in the middle of when it was killed. */
final class ProcessKilled extends Error {
    private static final long serialVersionUID = 1L;

    ProcessKilled() {
        super("the process was killed", null, false, false);
    }
}
