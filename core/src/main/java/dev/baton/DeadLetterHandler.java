package dev.baton;

/** A handler for messages that an {@link ErrorPolicy} skips. Called on the loop of the service that failed. */
@FunctionalInterface
public interface DeadLetterHandler {
    /**
     * Receives a message that is about to be skipped, or whose dead letter is stored. On the service's loop, so it must not
     * block.
     *
     * @param service name of the service that failed
     * @param in message with its payload and key, valid until this method returns
     * @param attempts number of deliveries, 1 or more
     * @param cause exception that the service threw at the last one
     * @throws Exception any exception. If the message is skipped, the chain then stops and the message remains
     *     unacknowledged. If its dead letter is stored, the exception is logged
     */
    void onDeadLetter(String service, Message in, int attempts, Throwable cause) throws Exception;
}
