package dev.baton;

/**
 * Writes values as payloads and reads them again: what every typed end of a chain takes. Implement {@link Codec} for
 * mutable values that are reused, or {@link ValueCodec} for immutable ones, such as records. Stateless ones are thread-safe;
 * others belong to one thread.
 *
 * @param <T> the values
 */
public interface Serde<T> {
    /** The most bytes that {@link #encode} may need for this value. */
    int maxLength(T value);

    /**
     * Writes the value from index 0 on; neither commits nor aborts.
     *
     * @return bytes used
     */
    int encode(T value, Claim into);

    /** Returns a decoder for one reader: for mutable values, one that reuses its value. */
    Decoder<T> decoder();

    /**
     * Returns a decoder for one reader that compares the message's {@link Message#type} with {@link #type} first, and throws
     * {@link UnexpectedTypeException} when they differ.
     */
    default Decoder<T> checkedDecoder() {
        return new CheckedDecoder<>(this);
    }

    /** Type of the messages that carry these values; a typed end refuses other messages. */
    default int type() {
        return 0;
    }
}
