package dev.baton;

/**
 * A decoder of payloads for one reader: {@link Serde#decoder}. Confined to that reader's thread.
 *
 * @param <T> the values
 */
@FunctionalInterface
public interface Decoder<T> {
    /**
     * {@return the value of a message} A mutable value is valid until the next call, which may reuse it. Throws {@link
     * IllegalArgumentException} or {@link IndexOutOfBoundsException} for a payload that is too short or malformed; the chain's
     * {@link ErrorPolicy} then applies.
     *
     * @param from message whose payload is read
     */
    T decode(Message from);
}
