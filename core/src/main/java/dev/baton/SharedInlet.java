package dev.baton;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * The inlet of a chain for many threads, such as those of a web server: a bounded queue that the chain's loop drains into the
 * first topic. Each offer allocates a copy of its payload; a single thread that must not allocate uses {@link Inlet}.
 *
 * <p>{@link #offer} reports that a message was taken, {@link #offerStored} also when the transport has confirmed it as stored.
 * No method waits for room, so that callbacks of the chain may call all of them.
 *
 * <p>In a chain with several partitions, the key of a message selects its partition, and each partition has a queue of its own:
 * a partition that is full or has failed refuses its messages, and the others take theirs. Messages with the same key stay in
 * the order of their offers. Thread-safe.
 */
public interface SharedInlet {
    /**
     * Hands over a copy of the payload, without further fields.
     *
     * @param payload all of its bytes
     * @return as {@link #offer(ByteBuffer, MessageFields)}
     */
    default Offer offer(byte[] payload) {
        return offer(ByteBuffer.wrap(Objects.requireNonNull(payload, "payload")), new MessageFields());
    }

    /**
     * Hands over a copy of the bytes from position to limit.
     *
     * @param payload buffer whose position and limit do not move
     * @param fields type, origin, key and trace context, which are copied
     * @return whether it was taken; if not, whether another attempt can succeed
     * @throws IllegalArgumentException when the payload or the key is longer than the transport carries, or if there is no key
     *     and the chain has several partitions
     * @throws ChainFailedException when the chain, or the partition of the key, has stopped
     */
    Offer offer(ByteBuffer payload, MessageFields fields);

    /**
     * Encodes a value and hands it over, without further fields.
     *
     * @param <T> the values
     * @param value encoded by the calling thread, and not kept
     * @param codec as for {@link #offer(Object, Serde, MessageFields)}
     * @return as {@link #offer(ByteBuffer, MessageFields)}
     */
    default <T> Offer offer(T value, Serde<T> codec) {
        return offer(value, codec, new MessageFields());
    }

    /**
     * Encodes a value and hands it over.
     *
     * @param <T> the values
     * @param value encoded by the calling thread, and not kept
     * @param codec codec that encodes it; many threads need a thread-safe one, or one each
     * @param fields origin, key and trace context, which are copied
     * @return as {@link #offer(ByteBuffer, MessageFields)}
     */
    <T> Offer offer(T value, Serde<T> codec, MessageFields fields);

    /**
     * Hands over a copy of the payload, without further fields, and reports when it is stored.
     *
     * @param payload all of its bytes
     * @return completes as that of {@link #offerStored(ByteBuffer, MessageFields)}
     */
    default CompletableFuture<Long> offerStored(byte[] payload) {
        return offerStored(ByteBuffer.wrap(Objects.requireNonNull(payload, "payload")), new MessageFields());
    }

    /**
     * Hands over a copy of the bytes from position to limit, and reports when they are stored: the future completes with the
     * message's sequence in the chain's first topic, or in that of its partition, when the transport has confirmed it as
     * stored. It completes exceptionally with
     *
     * <ul>
     *   <li>{@link BackPressureException}: the message was not taken, because the queue is full, or because as many results are
     *       pending as the queue has places;
     *   <li>{@link ChainFailedException}: the chain has stopped, for the reason in the exception's cause; the message may or
     *       may not be stored;
     *   <li>{@link ChainClosedException}: the chain was closed before; the message was not taken, or may or may not be stored.
     * </ul>
     *
     * The future always completes, at the latest when the chain is closed. It completes on the chain's loop, so dependent
     * stages must not block: use the {@code Async} methods for that. Cancelling the future does not withdraw the message.
     *
     * @param payload buffer whose position and limit do not move
     * @param fields type, origin, key and trace context, which are copied
     * @return completes with the message's sequence
     * @throws IllegalArgumentException as {@link #offer(ByteBuffer, MessageFields)}
     */
    CompletableFuture<Long> offerStored(ByteBuffer payload, MessageFields fields);

    /**
     * Encodes a value and hands it over, without further fields, and reports when it is stored.
     *
     * @param <T> the values
     * @param value encoded by the calling thread, and not kept
     * @param codec as for {@link #offer(Object, Serde, MessageFields)}
     * @return completes as that of {@link #offerStored(ByteBuffer, MessageFields)}
     */
    default <T> CompletableFuture<Long> offerStored(T value, Serde<T> codec) {
        return offerStored(value, codec, new MessageFields());
    }

    /**
     * Encodes a value and hands it over, and reports when it is stored.
     *
     * @param <T> the values
     * @param value encoded by the calling thread, and not kept
     * @param codec as for {@link #offer(Object, Serde, MessageFields)}
     * @param fields origin, key and trace context, which are copied
     * @return completes as that of {@link #offerStored(ByteBuffer, MessageFields)}
     */
    <T> CompletableFuture<Long> offerStored(T value, Serde<T> codec, MessageFields fields);

    /** The result of offering a message to a {@link SharedInlet}. */
    enum Offer {
        /** The message was taken and will be sent, unless the chain fails before. */
        ACCEPTED,
        /** The message was not taken, because too many messages wait: try again later. */
        FULL,
        /** The message was not taken, because the chain is closing or closed: do not try again. */
        CLOSED
    }
}
