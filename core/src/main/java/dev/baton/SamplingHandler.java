package dev.baton;

/**
 * A handler that a {@link MessageInterceptor} returns if it needs only some of the messages, for instance to time a sample. If
 * it is the outermost handler, it is asked before each batch. A batch that it does not take goes directly to the handler behind
 * it, so that it costs nothing per message. Within other interceptors it is called for every message. Confined to the part's
 * loop.
 */
public interface SamplingHandler extends MessageHandler {
    /**
     * {@return whether all messages of the next batch go through this handler}
     *
     * @param passed number of messages that bypassed this handler since the last call
     * @param most maximum number of messages in the next batch; it often has fewer, or none
     */
    boolean takesBatch(int passed, int most);
}
