package dev.baton.jackson;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.baton.Claim;
import dev.baton.ConfigurationException;
import dev.baton.Message;
import dev.baton.ValueCodec;
import java.io.IOException;
import java.util.Objects;

/**
 * Values as JSON in UTF-8: records, other classes that Jackson knows, and {@link com.fasterxml.jackson.databind.JsonNode}.
 *
 * <pre>{@code
 * record Order(long id, String symbol, int quantity) {
 *     static final JacksonCodec<Order> CODEC = JacksonCodec.of(1, Order.class);
 * }
 * inlet.send(new Order(7, "ACME", 3), Order.CODEC);
 * }</pre>
 *
 * <p>Unless a {@link #mapper} is given, fields that the class does not have are ignored, those that a message lacks have Java's
 * default, and what follows the value is refused: so fields may be added. A payload that is no such value throws {@link
 * IllegalArgumentException}, whose text names message, topic, type and the place in the payload, and which goes through the
 * chain's {@link dev.baton.ErrorPolicy}. Payloads are limited in length and depth, in both directions: {@link #limits}.
 *
 * <p>Each value allocates, as Jackson does. Immutable: each method returns another codec. Thread-safe when its mapper is.
 *
 * @param <T> the values
 */
public final class JacksonCodec<T> implements ValueCodec<T> {
    /** The most bytes of a payload, unless {@link #limits} says otherwise. */
    public static final int DEFAULT_MAX_LENGTH = 1 << 20;

    /** The most objects and arrays within one another, unless {@link #limits} says otherwise. */
    public static final int DEFAULT_MAX_DEPTH = 64;

    private static final int MAX_REASON = 400; // characters: the path to a deep value is long

    private final int type;
    private final ObjectMapper mapper;
    private final JavaType values;
    private final int maxLength;
    private final ObjectReader reader;
    private final ObjectWriter writer;
    private final ThreadLocal<EncodedValue> encoded = ThreadLocal.withInitial(EncodedValue::new);

    private JacksonCodec(int type, ObjectMapper mapper, JavaType values, int maxLength, int maxDepth) {
        this.type = type;
        this.mapper = mapper;
        this.values = values;
        this.maxLength = maxLength;
        JsonFactory limited = limited(mapper.getFactory(), maxLength, maxDepth);
        this.reader = mapper.readerFor(values).with(limited);
        this.writer = mapper.writerFor(values).with(limited);
    }

    /**
     * {@return a codec for values of a class}
     *
     * @param <T> the values
     * @param type of the messages that carry them: one number for each meaning, for good
     * @param values their class
     */
    public static <T> JacksonCodec<T> of(int type, Class<T> values) {
        ObjectMapper mapper = defaultMapper();
        return of(type, mapper, mapper.constructType(Objects.requireNonNull(values, "values")));
    }

    /**
     * {@return a codec for values of a generic type: {@code JacksonCodec.of(2, new TypeReference<List<Order>>() {})}}
     *
     * @param <T> the values
     * @param type of the messages that carry them: one number for each meaning, for good
     * @param values their type
     */
    public static <T> JacksonCodec<T> of(int type, TypeReference<T> values) {
        ObjectMapper mapper = defaultMapper();
        return of(type, mapper, mapper.constructType(Objects.requireNonNull(values, "values")));
    }

    private static <T> JacksonCodec<T> of(int type, ObjectMapper mapper, JavaType values) {
        return new JacksonCodec<>(type, mapper, values, DEFAULT_MAX_LENGTH, DEFAULT_MAX_DEPTH);
    }

    private static ObjectMapper defaultMapper() {
        return JsonMapper.builder()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
    }

    /**
     * {@return a codec that reads and writes as this mapper does, for example with modules for dates} Its configuration
     * holds, that of unknown fields included; the limits are this codec's.
     *
     * @param mapper not to be configured any more
     */
    public JacksonCodec<T> mapper(ObjectMapper mapper) {
        return new JacksonCodec<>(type, mapper, values, maxLength, maxDepth());
    }

    /**
     * {@return a codec with other limits}
     *
     * @param maxLength bytes of a payload, from 1 on; a transport may carry less
     * @param maxDepth objects and arrays within one another, from 1 on
     */
    public JacksonCodec<T> limits(int maxLength, int maxDepth) {
        if (maxLength < 1 || maxDepth < 1) {
            throw new IllegalArgumentException(
                    "maxLength " + maxLength + ", maxDepth " + maxDepth + "; 1 or more is allowed");
        }
        return new JacksonCodec<>(type, mapper, values, maxLength, maxDepth);
    }

    private int maxDepth() {
        return reader.getFactory().streamReadConstraints().getMaxNestingDepth();
    }

    private static JsonFactory limited(JsonFactory factory, int maxLength, int maxDepth) {
        StreamReadConstraints reading = factory.streamReadConstraints()
                .rebuild()
                .maxNestingDepth(maxDepth)
                .maxDocumentLength(maxLength)
                .build();
        return factory.rebuild()
                .streamReadConstraints(reading)
                .streamWriteConstraints(StreamWriteConstraints.builder()
                        .maxNestingDepth(maxDepth)
                        .build())
                .build();
    }

    @Override
    public int type() {
        return type;
    }

    /**
     * The bytes of this value in JSON.
     *
     * @throws IllegalArgumentException when it cannot be written, is too deep or too long
     */
    @Override
    public int maxLength(T value) {
        return written(value).keepFor(value);
    }

    @Override
    public int encode(T value, Claim into) {
        EncodedValue bytes = encoded.get();
        return (bytes.isOf(value) ? bytes : written(value)).moveTo(into);
    }

    private EncodedValue written(T value) {
        if (value == null) {
            throw new IllegalArgumentException(this + ": null is no value to send");
        }
        EncodedValue bytes = encoded.get();
        try {
            writer.writeValue(bytes.begin(maxLength), value);
            return bytes;
        } catch (EncodedValue.TooLongException thrown) {
            throw new IllegalArgumentException(
                    this + ": a value of more than " + maxLength + " bytes in JSON; JacksonCodec.limits allows others",
                    thrown);
        } catch (IOException | RuntimeException thrown) {
            if (thrown instanceof InvalidDefinitionException undefined && !isCycle(undefined)) {
                throw new ConfigurationException(
                        this + ": Jackson cannot write such values: " + reason(undefined), undefined);
            }
            throw new IllegalArgumentException(this + ": a value that cannot be written: " + reason(thrown), thrown);
        }
    }

    /** Returns whether a value contains itself, which is a mistake of the value and not of its class. */
    private static boolean isCycle(InvalidDefinitionException thrown) {
        return thrown.getOriginalMessage().startsWith("Direct self-reference");
    }

    @Override
    public T decode(Message from) {
        int length = from.length();
        if (length > maxLength) {
            throw refused(from, "JacksonCodec.limits allows " + maxLength + " bytes", null);
        }
        byte[] json = new byte[length];
        from.getBytes(0, json, 0, length);
        T value;
        try {
            value = reader.readValue(json);
        } catch (InvalidDefinitionException undefined) {
            throw new ConfigurationException(
                    this + ": Jackson cannot read such values: " + reason(undefined), undefined);
        } catch (IOException | RuntimeException thrown) { // of constructors and deserializers of the user's, too
            throw refused(from, reason(thrown), thrown);
        }
        if (value == null) {
            throw refused(from, "it is null", null);
        }
        return value;
    }

    private IllegalArgumentException refused(Message from, String reason, Throwable cause) {
        return new IllegalArgumentException(
                "message " + from.sequence() + " of topic " + from.topic() + " (type " + from.type() + ", "
                        + from.length() + " bytes) is no " + values.toCanonical() + " in JSON: " + reason,
                cause);
    }

    /** Returns Jackson's description of a failure with its place, in one line. */
    private static String reason(Throwable thrown) {
        if (!(thrown instanceof JacksonException jackson)) {
            return thrown.toString();
        }
        StringBuilder text = new StringBuilder(String.valueOf(jackson.getOriginalMessage()));
        if (jackson instanceof JsonMappingException mapping
                && !mapping.getPath().isEmpty()) {
            text.append(", at ").append(mapping.getPathReference());
        }
        if (jackson.getLocation() != null) {
            text.append(", byte ").append(jackson.getLocation().getByteOffset());
        }
        String line = text.toString().replaceAll("\\s+", " ");
        return line.length() <= MAX_REASON ? line : line.substring(0, MAX_REASON) + "...";
    }

    /** {@return a text for people} */
    @Override
    public String toString() {
        return "JacksonCodec of " + values.toCanonical() + ", type " + type;
    }
}
