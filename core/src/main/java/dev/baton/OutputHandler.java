package dev.baton;

/** Receives what comes out of a chain, on the loop of its last topic. Called by one thread at a time. */
@FunctionalInterface
public interface OutputHandler {
    /**
     * Takes one message.
     *
     * @param in valid until this method returns
     * @throws Exception anything; the {@link ErrorPolicy} then handles it
     */
    void onOutput(Message in) throws Exception;
}
