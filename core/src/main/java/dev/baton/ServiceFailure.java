package dev.baton;

/** What a service threw, on its way from the service's loop to the caller that asks why the chain stopped. */
final class ServiceFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ServiceFailure(String service, Throwable thrown) {
        super("service " + service + " failed: " + thrown, thrown);
    }
}
