package dev.baton.sbe;

import dev.baton.Claim;
import dev.baton.ConfigurationException;
import dev.baton.Decoder;
import dev.baton.Message;
import dev.baton.Serde;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.sbe.MessageDecoderFlyweight;

/**
 * Reads messages through a decoder that sbe-tool generated, in the memory of the message, without a copy and without allocation.
 * <pre>{@code
 * static final SbeCodec<OrderDecoder> ORDER = SbeCodec.of(OrderDecoder::new);
 *
 * RoutingService.byType().on(ORDER, (order, out) -> book(order.id(), order.quantity()))
 * }</pre>
 *
 * <p>The type of a message is the template id. Its payload begins with SBE's standard header. A header of another template or schema throws
 * {@link ConfigurationException}, which stops the chain. A payload that ends within its block, groups or variable data throws {@link
 * IllegalArgumentException}, which goes through the chain's {@link dev.baton.ErrorPolicy}. Messages of other versions of the schema are
 * read by SBE's rules: fields that are newer than the message have their null value, fields that are newer than the decoder are skipped.
 *
 * <p>The decoder is valid until the callback returns, and is reused. {@link #encode} copies the message that a decoder is over; {@link
 * SbeWriter} writes new ones. Thread-safe when the supplier is; its decoders are confined to a reader each.
 *
 * @param <D> the generated decoder
 */
public final class SbeCodec<D extends MessageDecoderFlyweight> implements Serde<D> {
    private final Supplier<D> flyweights;
    private final int type;

    private SbeCodec(Supplier<D> flyweights) {
        this.flyweights = flyweights;
        this.type = flyweights.get().sbeTemplateId();
    }

    /**
     * {@return a codec of the messages that these decoders read}
     *
     * @param <D> the decoders, which SBE has generated for one message
     * @param flyweights makes one decoder for each reader: {@code OrderDecoder::new}
     */
    public static <D extends MessageDecoderFlyweight> SbeCodec<D> of(Supplier<D> flyweights) {
        return new SbeCodec<>(Objects.requireNonNull(flyweights, "flyweights"));
    }

    /** The template id. */
    @Override
    public int type() {
        return type;
    }

    /** The bytes of the message that the decoder is over, with its header, as {@link #encode} copies it. Rewinds the decoder. */
    @Override
    public int maxLength(D value) {
        int known = SbeHeader.BYTES + value.sbeDecodedLength();
        int start = value.offset() - SbeHeader.BYTES;
        return start >= 0 && SbeHeader.version(value.buffer(), start) > value.sbeSchemaVersion()
                ? Math.max(known, value.buffer().capacity() - start)
                : known;
    }

    /**
     * Copies the message that the decoder is over, as it is, what the decoder does not know included: a message of a newer version is
     * copied to the end of the decoder's buffer, as groups and variable data may follow that only newer decoders find. Rewinds the decoder.
     *
     * @throws IllegalArgumentException when no header is in front of it
     */
    @Override
    public int encode(D value, Claim into) {
        int length = maxLength(value);
        int start = value.offset() - SbeHeader.BYTES;
        DirectBuffer source = value.buffer();
        if (start < 0 || SbeHeader.templateId(source, start) != type) {
            throw new IllegalArgumentException(value.getClass().getName()
                    + " is not over a message with its header in front, so it cannot be sent");
        }
        ByteBuffer target = into.payload();
        source.getBytes(start, target, target.position(), length);
        return length;
    }

    /**
     * Returns a reader with a flyweight of its own.
     *
     * @throws IllegalStateException when the JVM lacks the flag that Agrona needs, which the text names
     */
    @Override
    public Decoder<D> decoder() {
        return new Reader<>(flyweights.get());
    }

    /** Aims a flyweight at messages. Confined to its reader. */
    private static final class Reader<D extends MessageDecoderFlyweight> implements Decoder<D> {
        private final UnsafeBuffer buffer = SbeHeader.newBuffer();
        private final D flyweight;

        Reader(D flyweight) {
            this.flyweight = flyweight;
        }

        @Override
        public D decode(Message from) {
            ByteBuffer payload = from.payload();
            int length = payload.remaining();
            if (length < SbeHeader.BYTES) {
                throw refused(from, "it ends within the header");
            }
            buffer.wrap(payload, payload.position(), length);
            int blockLength = SbeHeader.blockLength(buffer, 0);
            int version = SbeHeader.version(buffer, 0);
            checkHeader(from, blockLength, version);
            if (SbeHeader.BYTES + blockLength > length) {
                throw refused(from, "it ends within its block of " + blockLength + " bytes");
            }
            flyweight.wrap(buffer, SbeHeader.BYTES, blockLength, version);
            checkLength(from, length);
            return flyweight;
        }

        private void checkHeader(Message from, int blockLength, int version) {
            int templateId = SbeHeader.templateId(buffer, 0);
            int schemaId = SbeHeader.schemaId(buffer, 0);
            if (templateId != flyweight.sbeTemplateId() || schemaId != flyweight.sbeSchemaId()) {
                throw new ConfigurationException(text(
                        from,
                        "its header has template " + templateId + " of schema " + schemaId
                                + ", the decoder reads template " + flyweight.sbeTemplateId() + " of schema "
                                + flyweight.sbeSchemaId()));
            }
            if (version >= flyweight.sbeSchemaVersion() && blockLength < flyweight.sbeBlockLength()) {
                throw refused(
                        from,
                        "its block has " + blockLength + " bytes, in version " + version + " it has "
                                + flyweight.sbeBlockLength() + " or more");
            }
        }

        /** Groups and variable data end within the payload. */
        private void checkLength(Message from, int length) {
            int decodedLength;
            try {
                decodedLength = flyweight.sbeDecodedLength();
            } catch (IndexOutOfBoundsException thrown) {
                throw refused(from, "it ends within a group or variable data");
            }
            if (decodedLength < 0 || decodedLength > length - SbeHeader.BYTES) {
                throw refused(from, "it ends within a group or variable data");
            }
        }

        private IllegalArgumentException refused(Message from, String reason) {
            return new IllegalArgumentException(text(from, reason));
        }

        private String text(Message from, String reason) {
            return "message " + from.sequence() + " of topic " + from.topic() + " (type " + from.type() + ", "
                    + from.length() + " bytes) is not for "
                    + flyweight.getClass().getName() + ": " + reason;
        }
    }
}
