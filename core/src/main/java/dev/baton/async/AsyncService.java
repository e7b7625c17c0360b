package dev.baton.async;

import dev.baton.Concurrency;
import dev.baton.Decoder;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Serde;
import dev.baton.Service;
import dev.baton.codec.TypedService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * A service that starts its work for a message and writes its outputs when the work is complete. It needs a {@link Concurrency},
 * whose promises apply: order per key, outputs in the order of the inputs, a bounded number of messages at work. {@link
 * #of} makes one of a function.
 *
 * <p>A stage that completes exceptionally is a failure of the message, with the cause of a {@link
 * java.util.concurrent.CompletionException}, and so is one that is not complete within {@link Concurrency#timeout}: with a
 * {@link java.util.concurrent.TimeoutException}, after which its result is ignored. The chain's {@link dev.baton.ErrorPolicy}
 * applies. Stages that are not complete are cancelled after a time-out, if an interceptor throws after {@link #process},
 * and when the chain closes without waiting for them; each message
 * needs a stage of its own.
 *
 * <p>Interceptors are called around {@link #process} only. {@link #process} is called by one thread at a time for a service
 * object, and {@link #onResult} on the loop; no further message is processed by the object between the two calls.
 *
 * @param <R> results of the stages
 */
public interface AsyncService<R> extends Service {
    /**
     * {@return a supplier of an asynchronous service, for {@link dev.baton.Chain.Builder#then(String, Supplier,
     * dev.baton.Concurrency)}} The function returns a stage that completes with the output; with null for none.
     *
     * @param <I> type of the inputs
     * @param <O> type of the outputs
     * @param inputs decodes the inputs
     * @param outputs encodes the outputs, on the loop
     * @param body starts the work and returns its stage
     */
    static <I, O> Supplier<AsyncService<O>> of(
            Serde<I> inputs, Serde<O> outputs, TypedService.Mapping<? super I, ? extends CompletionStage<O>> body) {
        return () -> {
            Decoder<I> decoder = inputs.checkedDecoder();
            return new AsyncService<>() {
                @Override
                public CompletionStage<O> process(Message in) throws Exception {
                    return body.apply(decoder.decode(in));
                }

                @Override
                public void onResult(Message in, O result, Outlet out) {
                    if (result != null) {
                        out.send(result, outputs);
                    }
                }
            };
        };
    }

    /**
     * Starts the work for a message, on a thread of the {@link Concurrency}.
     *
     * @param in valid until this method returns
     * @return completes with the result, on any thread
     * @throws Exception any exception; the chain's {@link dev.baton.ErrorPolicy} then applies
     */
    CompletionStage<R> process(Message in) throws Exception;

    /**
     * Writes the outputs of a message whose work is complete. Called on the loop, so it must not block.
     *
     * @param in the message, valid until this method returns
     * @param result the result of its stage, which may be null
     * @param out output, which has room for {@link #maxOutputs} messages, and takes no more
     * @throws Exception any exception; the chain's {@link dev.baton.ErrorPolicy} then applies
     */
    void onResult(Message in, R result, Outlet out) throws Exception;

    /**
     * Handles a message as a service that blocks, for up to {@link Concurrency#DEFAULT_TIMEOUT}. Used by decorators and tests
     * that know {@link Service} only; a chain calls {@link #process} and {@link #onResult}.
     */
    @Override
    default void onMessage(Message in, Outlet out) throws Exception {
        CompletableFuture<R> stage = process(in).toCompletableFuture();
        R result;
        try {
            result = stage.get(Concurrency.DEFAULT_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException | TimeoutException unused) {
            stage.cancel(true);
            throw unused;
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception thrown ? thrown : failed;
        }
        onResult(in, result, out);
    }
}
