package dev.baton.simulation;

/** Unwinds the current step of a simulated process that was killed. */
final class ProcessKilled extends Error {
    private static final long serialVersionUID = 1L;

    ProcessKilled() {
        super("the process was killed", null, false, false);
    }
}
