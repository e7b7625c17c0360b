package dev.baton;

/**
 * Reads the payloads of messages as values, for one reader: {@link Serde#decoder}. Confined to that reader's thread.
 *
 * @param <T> the values
 */
@FunctionalInterface
public interface Decoder<T> {
    /**
     * {@return the value of a message} A mutable value is valid until the next call, which may reuse it. A payload that is
     * too short or malformed throws {@link IllegalArgumentException} or {@link IndexOutOfBoundsException}, which goes through
     * the chain's {@link ErrorPolicy}.
     *
     * @param from message whose payload is read
     */
    T decode(Message from);
}
