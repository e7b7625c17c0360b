package dev.baton.test.guard;

/** Stops a chain of a hostile run, whatever its error policies say: its process is killed, or has met a failure. */
public final class Halt extends Error {
    private static final long serialVersionUID = 1L;

    /** Halts with a reason. */
    public Halt(String text) {
        super(text, null, false, false);
    }
}
