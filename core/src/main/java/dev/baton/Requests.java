package dev.baton;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Requests to a chain and their replies, for many threads, such as those of a web server: {@link RunningChain#requests}. A request
 * is a message of the first topic that carries a number; services pass the number on to their outputs. The reply is the first
 * message that the request leads to in the last topic.
 *
 * <p>Only outputs that a service sends while it handles a message belong to the request of that message, and not those of ticks
 * or of {@link Service#onClosing}. A service that sends none leads to an empty reply. A service whose error policy skips the
 * message or stores a dead letter leads to a {@link RequestFailedException}. Output handlers and chains that read a topic of this
 * chain see messages only.
 *
 * <p>The number of open requests is limited, and no method waits. A future completes on a loop of the chain, on a timer's thread
 * or on the thread that closes, so dependent stages must not block: use the {@code Async} methods for that. Cancelling a future
 * frees its place and does not withdraw the request. Thread-safe.
 *
 * @param <Q> the requests
 * @param <R> the replies
 */
public interface Requests<Q, R> extends AutoCloseable {
    /** The number of open requests that is allowed unless another one is given. */
    int DEFAULT_OPEN = 1024;

    /**
     * Sends a request with a key.
     *
     * @param key as for {@link MessageFields#key}; null for none
     * @param request as for {@link #ask(Object, MessageFields, Duration)}
     * @param timeout as for {@link #ask(Object, MessageFields, Duration)}
     * @return completes as that of {@link #ask(Object, MessageFields, Duration)}
     */
    default CompletableFuture<Optional<R>> ask(ByteBuffer key, Q request, Duration timeout) {
        return ask(request, new MessageFields().key(key), timeout);
    }

    /**
     * Sends a request. The future completes with the reply; empty if the request led to no output. It completes exceptionally
     * with
     *
     * <ul>
     *   <li>{@link RequestFailedException}: a service gave up the request; the text has the cause;
     *   <li>{@link java.util.concurrent.TimeoutException}: no reply came in time; the request may still be handled;
     *   <li>{@link BackPressureException}: the request was not sent, because as many are open as are allowed, or wait for the loop;
     *   <li>{@link ChainFailedException}: the chain, or the partition of the key, has stopped permanently, or replies can no
     *       longer be read; the request may or may not be handled;
     *   <li>{@link ChainClosedException}: the chain or these requests were closed; the request may or may not be handled;
     *   <li>the exception of the codec, if the reply cannot be decoded.
     * </ul>
     *
     * While the chain restarts, requests remain open, and new ones wait. A request that was sent and was not stored when a run
     * failed gets no reply. If another process handles the outputs, readers of these requests read the replies; they do not
     * restart, and a failure of one ends the requests, until the chain is closed and started again.
     *
     * @param request encoded by the calling thread, and not kept
     * @param fields origin, key and trace context, which are copied; the type is that of the codec
     * @param timeout time until the future completes without a reply, more than zero
     * @return completes with the reply
     * @throws IllegalArgumentException when the request or the key is longer than the transport carries, if there is no key and
     *     the chain has several partitions, or for a timeout of zero or less
     */
    CompletableFuture<Optional<R>> ask(Q request, MessageFields fields, Duration timeout);

    /**
     * Sends a request with an id, or answers a resend of it. If the id is that of a request that is {@linkplain
     * Deployment#resends remembered}, nothing is sent: the future completes as that of the first one, with its reply or its
     * {@link RequestFailedException}, at once if that is known. Otherwise as {@link #ask(Object, MessageFields, Duration)}.
     *
     * <p>A request that was sent is remembered until the window is over, also if its future has completed without a reply; one
     * that was not sent because of back-pressure is not. Over a durable transport, requests that are opened by a later start or by
     * another process know those of earlier ones, as far as the topics hold them. A request that was sent and was not stored when
     * a run failed is sent again by the next run. Only the id is compared, and not the key or the content. Several futures may
     * complete with the same object.
     *
     * @param request as for {@link #ask(Object, MessageFields, Duration)}
     * @param fields as for {@link #ask(Object, MessageFields, Duration)}
     * @param id as of {@link UUID#randomUUID}, or of {@link UUID#nameUUIDFromBytes} for an id of another form; unique among the
     *     requests of the chain
     * @param timeout time until the future completes without a reply, more than zero
     * @return completes with the reply
     * @throws IllegalStateException without {@link Deployment#resends}
     * @throws IllegalArgumentException for an id of version 0, or as {@link #ask(Object, MessageFields, Duration)}
     */
    CompletableFuture<Optional<R>> ask(Q request, MessageFields fields, UUID id, Duration timeout);

    /**
     * Sends a request with a key and an id, or answers a resend, as {@link #ask(Object, MessageFields, UUID, Duration)}.
     *
     * @param key as for {@link MessageFields#key}; null for none
     * @param request as for {@link #ask(Object, MessageFields, Duration)}
     * @param id as for {@link #ask(Object, MessageFields, UUID, Duration)}
     * @param timeout as for {@link #ask(Object, MessageFields, Duration)}
     * @return completes with the reply
     */
    default CompletableFuture<Optional<R>> ask(ByteBuffer key, Q request, UUID id, Duration timeout) {
        return ask(request, new MessageFields().key(key), id, timeout);
    }

    /** {@return the chain's shared inlet, for messages that need no reply} */
    SharedInlet inlet();

    /** {@return the number of open requests} */
    int open();

    /**
     * Fails the open requests with a {@link ChainClosedException} and refuses later ones. The chain continues, and keeps its
     * shared inlet. A chain that is closed closes its requests. Idempotent.
     */
    @Override
    void close();
}
