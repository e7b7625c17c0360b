package dev.baton;

/**
 * A {@link Serde} for mutable values that allocates nothing: values are reused, and fields are written in place. Stateless
 * codecs are thread-safe; a codec with state belongs to one service.
 *
 * @param <T> a mutable value
 */
public interface Codec<T> extends Serde<T> {
    /** {@return a blank value to decode into} */
    T newInstance();

    /**
     * Reads a message into {@code into}, and overwrites each of its fields. Throws {@link IllegalArgumentException} or {@link
     * IndexOutOfBoundsException} for a payload that is too short or malformed; the chain's {@link ErrorPolicy} then applies.
     *
     * @param from message whose payload is read
     * @param into value from {@link #newInstance}, blank or used before
     */
    void decode(Message from, T into);

    /** {@return a decoder with its own value, which each call overwrites} */
    @Override
    default Decoder<T> decoder() {
        T value = newInstance();
        return from -> {
            decode(from, value);
            return value;
        };
    }
}
