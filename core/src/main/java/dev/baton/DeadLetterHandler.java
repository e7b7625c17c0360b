package dev.baton;

/** Receives messages that an {@link ErrorPolicy} skips. Called on the loop of the service that refused them. */
@FunctionalInterface
public interface DeadLetterHandler {
    /**
     * Takes note of a message that is about to be skipped.
     *
     * @param service name of the service that failed
     * @param in valid until this method returns
     * @param cause what the service threw
     * @throws Exception anything; the chain stops then and the message stays
     */
    void onDeadLetter(String service, Message in, Throwable cause) throws Exception;
}
