package dev.baton;

/**
 * Turns objects into payloads and back without allocating: objects are reused, and fields are written in place.
 * Stateless codecs are thread-safe; others belong to one service.
 *
 * @param <T> a mutable value
 */
public interface Codec<T> {
    /** A blank value to decode into. */
    T newInstance();

    /** The most bytes that {@link #encode} may need for this value. */
    int maxLength(T value);

    /**
     * Writes the value from index 0 on; neither commits nor aborts.
     *
     * @return bytes used
     */
    int encode(T value, Claim into);

    /**
     * Overwrites every field of {@code into}. A payload that is too short or malformed throws {@link
     * IllegalArgumentException} or {@link IndexOutOfBoundsException}, which goes through the chain's {@link ErrorPolicy}.
     */
    void decode(Message from, T into);

    /** Type that messages of this codec carry. */
    default int type() {
        return 0;
    }
}
