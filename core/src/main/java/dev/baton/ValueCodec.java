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

    /**
     * {@return a stateless codec of strings in UTF-8} A string with an unpaired surrogate and a payload that is not UTF-8 are
     * refused with an {@link IllegalArgumentException}.
     *
     * @param type {@link #type} of the messages; 0 for none
     */
    static ValueCodec<String> strings(int type) {
        return new ReadyCodecs.Strings(type);
    }

    /**
     * {@return a stateless codec of numbers in 8 bytes, little endian} It ignores further bytes of a payload.
     *
     * @param type {@link #type} of the messages; 0 for none
     */
    static ValueCodec<Long> longs(int type) {
        return new ReadyCodecs.Longs(type);
    }

    @Override
    default Decoder<T> decoder() {
        return this::decode;
    }
}
