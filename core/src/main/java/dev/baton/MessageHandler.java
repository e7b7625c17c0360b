package dev.baton;

/** A handler for the messages of one part of a chain: its service, or an interceptor in front of it. */
@FunctionalInterface
public interface MessageHandler {
    /**
     * Handles one message, as {@link Service#onMessage}.
     *
     * @param in valid until this method returns
     * @param out takes the messages that the service sends
     * @throws Exception any exception; the {@link ErrorPolicy} then applies
     */
    void onMessage(Message in, Outlet out) throws Exception;
}
