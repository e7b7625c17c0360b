package dev.baton;

/**
 * What a {@link MessageInterceptor} returns that takes part in some messages only, such as one that times a sample. Where it is the
 * outermost, it is asked before each batch; a batch that it leaves goes to the handler behind it directly, so that it costs nothing
 * per message. Within other interceptors it is called for every message. Confined to the part's loop.
 */
public interface SamplingHandler extends MessageHandler {
    /**
     * {@return whether the next batch comes through this handler, wholly}
     *
     * @param passed messages that went past it since the last call
     * @param most messages that the next batch may have; it often has fewer, or none
     */
    boolean takesBatch(int passed, int most);
}
