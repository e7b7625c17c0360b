package dev.baton.test;

/**
 * A callback has returned though its claim had failed, as if it had sent what it could not send: the input counts as handled and its
 * output is lost.
 */
final class SwallowedFailureException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    SwallowedFailureException(String service, Throwable swallowed) {
        super(
                "service " + service
                        + " has swallowed what its outlet threw, so the input counts as handled without its"
                        + " output; let it through: " + swallowed,
                swallowed);
    }
}
