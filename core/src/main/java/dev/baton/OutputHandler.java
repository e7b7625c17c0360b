package dev.baton;

/** Receives what comes out of a chain, on the loop of its last topic. Called by one thread at a time. */
@FunctionalInterface
public interface OutputHandler {
    /** Takes one message, valid until this method returns; what it throws goes through the {@link ErrorPolicy}. */
    void onOutput(Message in) throws Exception;
}
