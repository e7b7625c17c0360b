package dev.baton;

import dev.baton.engine.message.CheckedDecoder;
import dev.baton.engine.message.InboundMessage;
import dev.baton.spi.Frame;

/**
 * A codec that writes values as payloads and reads them again, for all typed ends of a chain. Implement {@link Codec} for
 * mutable values that are reused, or {@link ValueCodec} for immutable values, such as records. A stateless codec is
 * thread-safe; a codec with state belongs to one thread.
 *
 * @param <T> the values
 */
public interface Serde<T> {
    /**
     * {@return the maximum number of bytes that {@link #encode} needs for a value}
     *
     * @param value value to be encoded, which is only read
     */
    int maxLength(T value);

    /**
     * Writes a value to a claim, beginning at index 0. Must neither commit nor abort the claim.
     *
     * @param value value, which is only read
     * @param into claim of at least {@link #maxLength} bytes
     * @return number of bytes written, 0 to the claim's {@link Claim#maxLength}
     */
    int encode(T value, Claim into);

    /** {@return a decoder for one reader; for mutable values it reuses its value} */
    Decoder<T> decoder();

    /**
     * {@return a decoder for one reader that throws {@link UnexpectedTypeException} if the message's {@link Message#type} is
     * not {@link #type}}
     */
    default Decoder<T> checkedDecoder() {
        return new CheckedDecoder<>(this);
    }

    /**
     * {@return the new value of a stored message, for tools} Validates the frame. Throws as {@link #checkedDecoder} does.
     *
     * @param topic topic of the message
     * @param stored frame of the message
     * @throws IllegalArgumentException when the frame is damaged
     */
    default T decodeStored(String topic, Frame stored) {
        String defect = stored.isPlain() ? null : stored.validate();
        if (defect != null) {
            throw new IllegalArgumentException("the frame of topic " + topic + " cannot be read: " + defect);
        }
        return checkedDecoder().decode(new InboundMessage(topic).of(stored, stored.head()));
    }

    /** {@return the type of messages with these values} A typed end of a chain refuses messages of other types. */
    default int type() {
        return 0;
    }
}
