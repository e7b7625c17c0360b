package dev.baton;

/** What handles the messages of one part of a chain: its service, or an interceptor in front of it. */
@FunctionalInterface
public interface MessageHandler {
    /**
     * Handles one message, as {@link Service#onMessage}.
     *
     * @param in valid until this method returns
     * @param out takes what the service may send
     * @throws Exception anything; the {@link ErrorPolicy} then handles it
     */
    void onMessage(Message in, Outlet out) throws Exception;
}
