package dev.baton;

/**
 * A handler that a {@link MessageInterceptor} returns if it needs only some of the messages, for instance to time a sample.
 * If it is the outermost handler, it is queried before each batch. The messages of a batch that it does not take are passed
 * directly to the next handler, at no cost per message. Within other interceptors it is called for every message. Confined
 * to the part's loop.
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
