package dev.baton;

/**
 * Puts code around the handling of each message: to time it, to trace it. Set with {@link Deployment#around}; a deployment
 * without one runs the same code as before.
 *
 * <pre>{@code
 * deployment.around((context, next) -> (in, out) -> {
 *     long begun = System.nanoTime();
 *     next.onMessage(in, out);
 *     record(context.service(), System.nanoTime() - begun);
 * });
 * }</pre>
 *
 * One that needs some messages only returns a {@link SamplingHandler}.
 *
 * <p>Thread-safe where a chain runs on several loops: parts on different loops call it at the same time.
 */
@FunctionalInterface
public interface MessageInterceptor {
    /**
     * {@return what is called for each message of a part instead of {@code next}; {@code next} itself to leave the part
     * alone} Called once for each part, on its loop, after {@link Service#onStart}; the start of the chain fails with what it
     * throws.
     *
     * <p>What it returns is confined to that loop, must not block, and throws on what {@code next} throws, which the error policy
     * then handles. It is called again for each retry, but not for ticks.
     *
     * @param context of the service; of the consumer of the last topic, whose name is {@value Chain#OUTLET}, as well
     * @param next the service, or the interceptor that was put around it before
     */
    MessageHandler intercept(ServiceContext context, MessageHandler next);
}
