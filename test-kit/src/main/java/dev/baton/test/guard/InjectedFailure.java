package dev.baton.test.guard;

/** What a hostile run has a claim throw: a service that goes on behind it drops what it was about to send. */
public final class InjectedFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Fails a claim. */
    public InjectedFailure() {
        super("the hostile run has this claim fail", null, false, false);
    }
}
