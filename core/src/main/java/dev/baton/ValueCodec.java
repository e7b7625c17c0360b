package dev.baton;

/**
 * A {@link Serde} for immutable values, such as records: each message is decoded to a new value, which the receiver may keep. A
 * stateless codec is thread-safe.
 *
 * @param <T> an immutable value
 */
public interface ValueCodec<T> extends Serde<T> {
    /**
     * {@return the value of a message} Throws {@link IllegalArgumentException} or {@link IndexOutOfBoundsException} for a
     * payload that is too short or malformed; the chain's {@link ErrorPolicy} then applies.
     *
     * @param from message whose payload is read
     */
    T decode(Message from);

    @Override
    default Decoder<T> decoder() {
        return this::decode;
    }
}
