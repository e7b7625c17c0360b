package dev.baton;

/** A handler for messages that an {@link ErrorPolicy} skips. Called on the loop of the service that failed. */
@FunctionalInterface
public interface DeadLetterHandler {
    /**
     * Receives a message that is about to be skipped.
     *
     * @param service name of the service that failed
     * @param in valid until this method returns
     * @param cause what the service threw
     * @throws Exception any exception; the chain then stops and the message remains unacknowledged
     */
    void onDeadLetter(String service, Message in, Throwable cause) throws Exception;
}
