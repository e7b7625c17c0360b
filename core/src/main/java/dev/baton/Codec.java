package dev.baton;

/**
 * A {@link Serde} of mutable values that allocates nothing: values are reused, and fields are written in place. Stateless
 * codecs are thread-safe; others belong to one service.
 *
 * @param <T> a mutable value
 */
public interface Codec<T> extends Serde<T> {
    /** {@return a blank value to decode into} */
    T newInstance();

    /**
     * Overwrites every field of {@code into}. A payload that is too short or malformed throws {@link
     * IllegalArgumentException} or {@link IndexOutOfBoundsException}, which goes through the chain's {@link ErrorPolicy}.
     *
     * @param from message whose payload is read
     * @param into value of {@link #newInstance}, blank or decoded into before
     */
    void decode(Message from, T into);

    /** {@return a decoder with a value of its own, which every call overwrites} */
    @Override
    default Decoder<T> decoder() {
        T value = newInstance();
        return from -> {
            decode(from, value);
            return value;
        };
    }
}
