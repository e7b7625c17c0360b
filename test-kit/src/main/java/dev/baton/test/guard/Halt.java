package dev.baton.test.guard;

/** The error that stops a chain of a hostile run whatever its error policies are: its process is killed or has failed. */
public final class Halt extends Error {
    private static final long serialVersionUID = 1L;

    /** Halts with a reason. */
    public Halt(String text) {
        super(text, null, false, false);
    }
}
