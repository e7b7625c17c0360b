package dev.baton;

/** A handler for the messages of a chain's last topic. Called on the loop of that topic, by one thread at a time. */
@FunctionalInterface
public interface OutputHandler {
    /**
     * Receives one message.
     *
     * @param in valid until this method returns
     * @throws Exception any exception; the {@link ErrorPolicy} then applies
     */
    void onOutput(Message in) throws Exception;
}
