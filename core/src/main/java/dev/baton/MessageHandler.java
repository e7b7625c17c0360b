package dev.baton;

/** What handles the messages of one part of a chain: its service, or an interceptor in front of it. */
@FunctionalInterface
public interface MessageHandler {
    /** Handles one message, as {@link Service#onMessage}. */
    void onMessage(Message in, Outlet out) throws Exception;
}
