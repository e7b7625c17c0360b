package dev.baton;

import dev.baton.engine.message.Encoding;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A sender of messages into a chain's first topic: an {@link Inlet} or one of its batches.
 *
 * <p>The first call of any method opens the topic: it may block, and throws {@link dev.baton.spi.errors.TransportException} if that
 * fails. In a service, calls that may be refused do not wait for it: there is no room until the topic is open. Later calls throw the same
 * exception if the transport cannot take a message any more. Confined to the thread of its inlet.
 */
public interface Sender {
    /**
     * Begins a message whose origin is the current time.
     *
     * @param maxLength bytes of payload, 0 to the transport's limit
     * @return the message to fill and commit; null when there is no room now
     * @throws IllegalArgumentException when {@code maxLength} is beyond the transport's limit
     * @throws ChainFailedException when the chain has stopped
     * @throws IllegalStateException when a claim is open, from another thread, or after close
     */
    Claim tryClaim(int maxLength);

    /**
     * Begins a message with some fields. Otherwise as {@link #tryClaim(int)}.
     *
     * @param maxLength bytes of payload, 0 to the transport's limit less what key and trace context take
     * @param fields type, origin, key and trace context; {@link Claim#type} may set another type
     * @return the message to fill and commit; null when there is no room now
     * @throws IllegalArgumentException also when the key is too long, or the trace context has another length than its own
     */
    Claim tryClaim(int maxLength, MessageFields fields);

    /**
     * Sends a value if there is room now.
     *
     * @param <T> the values
     * @param value encoded before this returns, and not kept
     * @param codec codec that encodes it
     * @return whether it was sent
     * @throws IllegalArgumentException when it is longer than the transport carries
     * @throws ChainFailedException when the chain has stopped
     */
    default <T> boolean offer(T value, Serde<T> codec) {
        Claim claim = tryClaim(Encoding.maxLength(codec, value));
        if (claim == null) {
            return false;
        }
        Encoding.send(claim, value, codec);
        return true;
    }

    /**
     * Sends a value with some fields if there is room now.
     *
     * @param <T> the values
     * @param value encoded before this returns, and not kept
     * @param codec codec that encodes it
     * @param fields origin, key and trace context
     * @return whether it was sent
     * @throws IllegalArgumentException when it is longer than the transport carries
     * @throws ChainFailedException when the chain has stopped
     */
    default <T> boolean offer(T value, Serde<T> codec, MessageFields fields) {
        Claim claim = tryClaim(Encoding.maxLength(codec, value), fields);
        if (claim == null) {
            return false;
        }
        Encoding.send(claim, value, codec);
        return true;
    }

    /**
     * Sends a value without further fields, as {@link #send(Object, Serde, MessageFields)} does.
     *
     * @param <T> the values
     * @param value encoded before this returns, and not kept
     * @param codec codec that encodes it
     */
    <T> void send(T value, Serde<T> codec);

    /**
     * Sends a value. Waits for room for at most {@link Deployment#sendWithin}. A callback on a loop of the chain uses {@link
     * #offer} or {@link #tryClaim(int)}, because only that loop can free the room.
     *
     * @param <T> the values
     * @param value encoded before this returns, and not kept
     * @param codec codec that encodes it
     * @param fields origin, key and trace context
     * @throws BackPressureException when there was no room in that time; the value is not sent
     * @throws IllegalArgumentException when it is longer than the transport carries
     * @throws IllegalStateException when called on a loop of the chain
     * @throws ChainFailedException when the chain has stopped
     */
    <T> void send(T value, Serde<T> codec, MessageFields fields);

    /**
     * Sends bytes without further fields, as {@link #send(Object, Serde, MessageFields)} does.
     *
     * @param payload all of its bytes, which are copied
     */
    void send(byte[] payload);

    /**
     * Sends the bytes from position to limit, as {@link #send(Object, Serde, MessageFields)} does.
     *
     * @param payload whose position and limit do not move, and which is the caller's again when this returns
     * @param fields type, origin, key and trace context
     */
    void send(ByteBuffer payload, MessageFields fields);

    /**
     * {@return a view of this sender for the values of a codec}
     *
     * @param <T> the values
     * @param codec codec that encodes them
     */
    default <T> TypedSender<T> typed(Serde<T> codec) {
        return new TypedSender<>(this, codec);
    }

    /**
     * A sender for the values of one codec: {@link Sender#typed}. Confined to the thread of the sender that it uses.
     *
     * @param <T> the values
     */
    final class TypedSender<T> {
        private final Sender sender;
        private final Serde<T> codec;

        TypedSender(Sender sender, Serde<T> codec) {
            this.sender = sender;
            this.codec = Objects.requireNonNull(codec, "codec");
        }

        /**
         * Sends a value as {@link Sender#send(Object, Serde)} does.
         *
         * @param value encoded before this returns, and not kept
         */
        public void send(T value) {
            sender.send(value, codec);
        }

        /**
         * Sends a value as {@link Sender#send(Object, Serde, MessageFields)} does.
         *
         * @param value encoded before this returns, and not kept
         * @param fields origin, key and trace context
         */
        public void send(T value, MessageFields fields) {
            sender.send(value, codec, fields);
        }

        /**
         * Sends a value as {@link Sender#offer(Object, Serde)} does.
         *
         * @param value encoded before this returns, and not kept
         * @return whether it was sent
         */
        public boolean offer(T value) {
            return sender.offer(value, codec);
        }

        /**
         * Sends a value as {@link Sender#offer(Object, Serde, MessageFields)} does.
         *
         * @param value encoded before this returns, and not kept
         * @param fields origin, key and trace context
         * @return whether it was sent
         */
        public boolean offer(T value, MessageFields fields) {
            return sender.offer(value, codec, fields);
        }
    }
}
