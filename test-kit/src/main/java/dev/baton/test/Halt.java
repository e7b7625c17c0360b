package dev.baton.test;

/** Stops a chain of a hostile run, whatever its error policies say: its process is killed, or has met a failure. */
final class Halt extends Error {
    private static final long serialVersionUID = 1L;

    Halt(String text) {
        super(text, null, false, false);
    }
}
