package dev.baton.simulation.time;

/** Unwinds the current step of a simulated process that was killed. */
public final class ProcessKilled extends Error {
    private static final long serialVersionUID = 1L;

    public ProcessKilled() {
        super("the process was killed", null, false, false);
    }
}
