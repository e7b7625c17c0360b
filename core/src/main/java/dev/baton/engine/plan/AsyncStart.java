package dev.baton.engine.plan;

import dev.baton.Message;
import dev.baton.MessageHandler;
import dev.baton.MessageInterceptor;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.ServiceContext;
import dev.baton.async.AsyncService;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/**
 * The innermost handler of an asynchronous service: it starts the work for a message and keeps the stage for the part. Used by
 * one thread at a time.
 */
public final class AsyncStart implements MessageInterceptor {
    private final AsyncService<Object> service;
    private final long timeoutNanos;
    private CompletionStage<?> stage; // of the last message; null if it was filtered out, or taken

    @SuppressWarnings("unchecked")
    private AsyncStart(AsyncService<?> service, long timeoutNanos) {
        this.service = (AsyncService<Object>) service; // gets results of its own stages only
        this.timeoutNanos = timeoutNanos;
    }

    /** Returns the service with this handler if it is asynchronous, otherwise the service itself. */
    public static Service around(Service service, long timeoutNanos) {
        return service instanceof AsyncService<?> async
                ? new InterceptedService(service, new AsyncStart(async, timeoutNanos))
                : service;
    }

    @Override
    public MessageHandler intercept(ServiceContext context, MessageHandler next) {
        return (in, out) -> {
            cancelStage(); // of a message that an interceptor passes on again
            stage = Objects.requireNonNull(service.process(in), "process returned no stage");
        };
    }

    /** Cancels the stage of the last message if it was not taken. */
    public void cancelStage() {
        if (stage != null) {
            cancel(takeStage());
        }
    }

    /** Cancels a stage, whose result is ignored. */
    public static void cancel(CompletionStage<?> stage) {
        try {
            stage.toCompletableFuture().cancel(true);
        } catch (Throwable notCancelled) { // of a class of the application, which ignores that
            // a stage need not support it
        }
    }

    /** Removes and returns the stage of the last message; null for none. */
    public CompletionStage<?> takeStage() {
        CompletionStage<?> taken = stage;
        stage = null;
        return taken;
    }

    /** Returns the time within which a stage has to complete. */
    public long timeoutNanos() {
        return timeoutNanos;
    }

    /** Writes the outputs of a message. */
    public void complete(Message in, Object result, Outlet out) throws Exception {
        service.onResult(in, result, out);
    }
}
