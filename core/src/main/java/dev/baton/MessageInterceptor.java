package dev.baton;

/**
 * An interceptor that runs code around the handling of each message, for instance to time or trace it. Set with {@link
 * Deployment#around}. A deployment without one runs the same code as before.
 *
 * <pre>{@code
 * deployment.around((context, next) -> (in, out) -> {
 *     long begun = System.nanoTime();
 *     next.onMessage(in, out);
 *     record(context.service(), System.nanoTime() - begun);
 * });
 * }</pre>
 *
 * An interceptor that needs only some of the messages returns a {@link SamplingHandler}.
 *
 * <p>Has to be thread-safe if a chain runs on several loops: parts on different loops call it at the same time. With a {@link
 * Concurrency} it is called for each service object, and the handlers that it returns are called by the threads of their calls.
 */
@FunctionalInterface
public interface MessageInterceptor {
    /**
     * {@return the handler that is called for each message of a part instead of {@code next}; {@code next} itself to add
     * nothing} Called once for each part, on its loop, after {@link Service#onStart}. If it throws, the start of the chain
     * fails with that exception.
     *
     * <p>The returned handler is confined to that loop and must not block. It has to rethrow what {@code next} throws, for
     * which the error policy then applies. It is called again for each retry, but not for ticks.
     *
     * @param context context of the service, or of the consumer of the last topic, whose name is {@value Chain#SINK}
     * @param next the service, or the interceptor that was added before
     */
    MessageHandler intercept(ServiceContext context, MessageHandler next);

    /**
     * A handler that a {@link MessageInterceptor} returns if it needs only some of the messages, for instance to time a sample.
     * If it is the outermost handler, it is queried before each batch. The messages of a batch that it does not take are passed
     * directly to the next handler, at no cost per message. Within other interceptors it is called for every message. Confined
     * to the part's loop.
     */
    interface SamplingHandler extends MessageHandler {
        /**
         * {@return whether all messages of the next batch go through this handler}
         *
         * @param passed number of messages that bypassed this handler since the last call
         * @param most maximum number of messages in the next batch; it often has fewer, or none
         */
        boolean takesBatch(int passed, int most);
    }
}
