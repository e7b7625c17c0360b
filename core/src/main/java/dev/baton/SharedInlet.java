package dev.baton;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * The inlet of a chain for many threads, such as those of a web server: a bounded queue that the chain's loop drains into the
 * first topic. The origin of a message is the time of the offer. Each offer allocates a copy of its payload; a single thread
 * that must not allocate uses {@link Inlet}.
 *
 * <p>{@link #offer} reports that a message was taken, {@link #offerStored} also when the transport has confirmed it as stored.
 * Thread-safe.
 */
public interface SharedInlet {
    /**
     * Hands over a copy of the payload, as a message of type 0.
     *
     * @param payload all of its bytes
     * @return whether it was taken; if not, whether another attempt can succeed
     * @throws IllegalArgumentException when it is longer than the transport carries
     * @throws ChainFailedException when the chain has stopped
     */
    Offer offer(byte[] payload);

    /**
     * Hands over a copy of some bytes of an array.
     *
     * @param payload array of which the bytes are copied
     * @param offset offset of the first byte sent
     * @param length length in bytes, 0 to the transport's limit
     * @param type any number; {@link Message#type} returns it
     * @return whether it was taken
     * @throws IllegalArgumentException when it is longer than the transport carries
     * @throws ChainFailedException when the chain has stopped
     * @throws IndexOutOfBoundsException when the bytes do not lie within the array
     */
    Offer offer(byte[] payload, int offset, int length, int type);

    /**
     * Encodes a value and hands it over like {@link #offer(byte[])}.
     *
     * @param <T> the values
     * @param value encoded by the calling thread, and not kept
     * @param codec codec that encodes it; many threads need a thread-safe one, or one each
     * @return whether it was taken
     */
    <T> Offer offer(T value, Serde<T> codec);

    /**
     * Encodes a value and hands it over with a key ({@link Message#key}).
     *
     * @param <T> the values
     * @param value encoded by the calling thread, and not kept
     * @param codec as for {@link #offer(Object, Serde)}
     * @param key the bytes from position to limit, which are copied; null for none
     * @return whether it was taken
     * @throws IllegalArgumentException when the key, or the value with it, is longer than the transport carries
     */
    <T> Offer offer(T value, Serde<T> codec, ByteBuffer key);

    /**
     * Encodes a value and hands it over with a key and a trace context ({@link Message#trace}).
     *
     * @param <T> the values
     * @param value encoded by the calling thread, and not kept
     * @param codec as for {@link #offer(Object, Serde)}
     * @param key the bytes from position to limit, which are copied; null for none
     * @param trace as {@link Message#trace}, which is copied; null for none
     * @return whether it was taken
     */
    <T> Offer offer(T value, Serde<T> codec, ByteBuffer key, ByteBuffer trace);

    /**
     * Hands over a copy of the payload, and reports when it is stored: the future completes with the message's sequence in the
     * chain's first topic when the transport has confirmed it as stored. It completes exceptionally with
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
     * @param payload all of its bytes
     * @return completes with the message's sequence
     * @throws IllegalArgumentException when it is longer than the transport carries
     */
    CompletableFuture<Long> offerStored(byte[] payload);

    /**
     * Hands over bytes like {@link #offer(byte[], int, int, int)}, and reports when they are stored.
     *
     * @param payload array of which the bytes are copied
     * @param offset offset of the first byte sent
     * @param length length in bytes, 0 to the transport's limit
     * @param type any number; {@link Message#type} returns it
     * @return completes as that of {@link #offerStored(byte[])}
     */
    CompletableFuture<Long> offerStored(byte[] payload, int offset, int length, int type);

    /**
     * Encodes a value and hands it over like {@link #offerStored(byte[])}.
     *
     * @param <T> the values
     * @param value encoded by the calling thread, and not kept
     * @param codec as for {@link #offer(Object, Serde)}
     * @return completes as that of {@link #offerStored(byte[])}
     */
    <T> CompletableFuture<Long> offerStored(T value, Serde<T> codec);

    /**
     * Encodes a value and hands it over with a key ({@link Message#key}), like {@link #offerStored(byte[])}.
     *
     * @param <T> the values
     * @param value encoded by the calling thread, and not kept
     * @param codec as for {@link #offer(Object, Serde)}
     * @param key the bytes from position to limit, which are copied; null for none
     * @return completes as that of {@link #offerStored(byte[])}
     * @throws IllegalArgumentException when the key, or the value with it, is longer than the transport carries
     */
    <T> CompletableFuture<Long> offerStored(T value, Serde<T> codec, ByteBuffer key);

    /**
     * Encodes a value and hands it over with a key and a trace context ({@link Message#trace}), like {@link
     * #offerStored(byte[])}.
     *
     * @param <T> the values
     * @param value encoded by the calling thread, and not kept
     * @param codec as for {@link #offer(Object, Serde)}
     * @param key the bytes from position to limit, which are copied; null for none
     * @param trace as {@link Message#trace}, which is copied; null for none
     * @return completes as that of {@link #offerStored(byte[])}
     */
    <T> CompletableFuture<Long> offerStored(T value, Serde<T> codec, ByteBuffer key, ByteBuffer trace);
}
