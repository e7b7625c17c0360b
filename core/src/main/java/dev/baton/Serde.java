package dev.baton;

/**
 * Writes values as payloads and reads them again: what every typed end of a chain takes. Implement {@link Codec} for
 * mutable values that are reused, or {@link ValueCodec} for immutable ones, such as records. Stateless ones are thread-safe;
 * others belong to one thread.
 *
 * @param <T> the values
 */
public interface Serde<T> {
    /**
     * {@return the most bytes that {@link #encode} may need for a value}
     *
     * @param value that is to be encoded, and is only read
     */
    int maxLength(T value);

    /**
     * Writes a value from index 0 on; neither commits nor aborts.
     *
     * @param value only read
     * @param into of at least {@link #maxLength} bytes
     * @return bytes used, 0 to the claim's {@link Claim#maxLength}
     */
    int encode(T value, Claim into);

    /** {@return a decoder for one reader: for mutable values, one that reuses its value} */
    Decoder<T> decoder();

    /**
     * {@return a decoder for one reader that compares the message's {@link Message#type} with {@link #type} first, and throws
     * {@link UnexpectedTypeException} when they differ}
     */
    default Decoder<T> checkedDecoder() {
        return new CheckedDecoder<>(this);
    }

    /** {@return the type of the messages that carry these values} A typed end refuses other messages. */
    default int type() {
        return 0;
    }
}
