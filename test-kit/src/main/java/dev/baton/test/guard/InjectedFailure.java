package dev.baton.test.guard;

/** The failure of a claim in a hostile run; a service that catches it loses the message that it was sending. */
public final class InjectedFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Fails a claim. */
    public InjectedFailure() {
        super("the hostile run has this claim fail", null, false, false);
    }
}
