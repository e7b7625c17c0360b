package dev.baton;

/**
 * A {@link Serde} of immutable values, such as records: each message is decoded to a value of its own, which the receiver may
 * keep. Thread-safe when stateless.
 *
 * @param <T> an immutable value
 */
public interface ValueCodec<T> extends Serde<T> {
    /**
     * {@return the value of a message} A payload that is too short or malformed throws {@link IllegalArgumentException} or
     * {@link IndexOutOfBoundsException}, which goes through the chain's {@link ErrorPolicy}.
     *
     * @param from message whose payload is read
     */
    T decode(Message from);

    @Override
    default Decoder<T> decoder() {
        return this::decode;
    }
}
