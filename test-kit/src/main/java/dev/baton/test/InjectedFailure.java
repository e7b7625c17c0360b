package dev.baton.test;

/** What a hostile run has a claim throw: a service that goes on behind it drops what it was about to send. */
final class InjectedFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InjectedFailure() {
        super("the hostile run has this claim fail", null, false, false);
    }
}
