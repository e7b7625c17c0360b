package dev.baton.lab.results;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.AnnotationIntrospector;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.cfg.EnumFeature;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedConstructor;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The JSON of the laboratory's records: component names are unchanged, constants in lower case, unknown properties ignored so that a newer
 * version may add some. Thread-safe.
 */
public final class Json {
    private static final int FIRST_WITH_RECORDS = 16;
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .registerSubtypes(subtypes())
            .visibility(PropertyAccessor.ALL, Visibility.NONE)
            .visibility(PropertyAccessor.FIELD, Visibility.ANY)
            .visibility(PropertyAccessor.CREATOR, Visibility.ANY)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
            .enable(com.fasterxml.jackson.databind.MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
            .annotationIntrospector(introspector())
            .build();

    private static AnnotationIntrospector introspector() {
        AnnotationIntrospector usual = new JacksonAnnotationIntrospector();
        boolean hasRecords = Runtime.version().feature() >= FIRST_WITH_RECORDS;
        return hasRecords ? usual : AnnotationIntrospector.pair(new OlderRecords(), usual);
    }

    /** The largest file that is read: many times the largest result. */
    private static final long MOST_BYTES = 64 << 20;

    /** The parser's description of its source, when that was a text. */
    private static final Pattern SOURCE =
            Pattern.compile("\\[Source: [^;\\]]*; |\\(start marker at \\[Source: [^)]*\\)");

    private static final ObjectWriter PRETTY = MAPPER.writerWithDefaultPrettyPrinter();

    private Json() {}

    /** Returns the implementations of {@link dev.baton.lab.request.Study} and {@link Findings}, by their names in files. */
    private static NamedType[] subtypes() {
        return StudyKind.all().stream()
                .flatMap(kind -> Stream.of(kind.request(), kind.findings())
                        .filter(Objects::nonNull)
                        .map(type -> new NamedType(type, kind.name())))
                .toArray(NamedType[]::new);
    }

    /** Returns a value as one line, without a line break. */
    public static String line(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException unreachable) {
            throw new IllegalStateException("cannot write " + value.getClass() + " as JSON", unreachable);
        }
    }

    /** Returns indented JSON, which ends with a line break. */
    public static String pretty(Object value) {
        try {
            return PRETTY.writeValueAsString(value) + "\n";
        } catch (JsonProcessingException unreachable) {
            throw new IllegalStateException("cannot write " + value.getClass() + " as JSON", unreachable);
        }
    }

    /**
     * Parses a text.
     *
     * @throws IllegalArgumentException when the text is not JSON of that kind
     */
    public static <T> T parse(String text, Class<T> type) {
        try {
            T value = MAPPER.readerFor(type).readValue(text);
            if (value == null) {
                throw new IllegalArgumentException("not a " + type.getSimpleName() + ": it contains null");
            }
            return value;
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException(
                    "not a " + type.getSimpleName() + ": " + firstLine(malformed), malformed);
        }
    }

    /** Writes all or nothing, readable by the owner alone. */
    public static void write(Path file, Object value) throws IOException {
        PrivateFile.write(file, pretty(value));
    }

    /**
     * Reads a file.
     *
     * @throws IOException that names the file, when it cannot be read or has another content
     */
    public static <T> T read(Path file, Class<T> type) throws IOException {
        if (Files.size(file) > MOST_BYTES) {
            throw new IOException(file + " has " + Files.size(file) + " bytes, a result at most " + MOST_BYTES);
        }
        try {
            return parse(Files.readString(file), type);
        } catch (CharacterCodingException foreign) {
            throw new IOException(file + " is not text in UTF-8", foreign);
        } catch (IllegalArgumentException malformed) {
            throw new IOException(file + " is " + malformed.getMessage(), malformed);
        }
    }

    /** Returns the reason, without the names of Java's classes. */
    private static String firstLine(JsonProcessingException malformed) {
        if (malformed instanceof MismatchedInputException mismatch && malformed.getCause() == null) {
            return mismatch(mismatch);
        }
        Throwable cause = malformed.getCause() == null ? malformed : malformed.getCause();
        String line = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        return cause instanceof NullPointerException
                ? "it has no '" + line + "'"
                : SOURCE.matcher(line).replaceAll("");
    }

    private static String mismatch(MismatchedInputException mismatch) {
        String place = mismatch.getPath().stream()
                .map(each -> each.getFieldName() == null ? "[" + each.getIndex() + "]" : "." + each.getFieldName())
                .collect(Collectors.joining())
                .replaceFirst("^[.]", "");
        String where = place.isEmpty() ? "it" : "'" + place + "'";
        if (mismatch instanceof InvalidTypeIdException unknown) {
            return where + " is of the kind '" + unknown.getTypeId() + "', which is unknown";
        }
        return where + " is not " + wanted(mismatch.getTargetType());
    }

    private static String wanted(Class<?> type) {
        if (type == null) {
            return "something else";
        }
        if (Collection.class.isAssignableFrom(type) || type.isArray()) {
            return "a list";
        }
        if (Number.class.isAssignableFrom(type) || type.isPrimitive() && type != boolean.class) {
            return "a number";
        }
        if (type.isEnum()) {
            return "one of "
                    + Stream.of(type.getEnumConstants())
                            .map(each -> each.toString().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", "));
        }
        return type == String.class ? "a text" : type == boolean.class ? "true or false" : "an object";
    }

    /**
     * Finds the canonical constructors of records in a JVM without records: there they are classes created by a tool, with a field for each
     * component, in order. Stateless, thread-safe.
     */
    static final class OlderRecords extends NopAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        /** The name of the substitute for {@code java.lang.Record}. */
        private static final String STAND_IN = "J_L_Record";

        @Override
        public JsonCreator.Mode findCreatorAnnotation(MapperConfig<?> config, Annotated annotated) {
            return annotated instanceof AnnotatedConstructor constructor && isCanonical(constructor.getAnnotated())
                    ? JsonCreator.Mode.PROPERTIES
                    : null;
        }

        @Override
        public String findImplicitPropertyName(AnnotatedMember member) {
            return member instanceof AnnotatedParameter parameter
                            && parameter.getOwner() instanceof AnnotatedConstructor constructor
                            && isCanonical(constructor.getAnnotated())
                    ? components(constructor.getDeclaringClass())
                            .get(parameter.getIndex())
                            .getName()
                    : null;
        }

        private static boolean isCanonical(Constructor<?> constructor) {
            Class<?> type = constructor.getDeclaringClass();
            return type.getSuperclass() != null
                    && type.getSuperclass().getSimpleName().endsWith(STAND_IN)
                    && Arrays.equals(
                            constructor.getParameterTypes(),
                            components(type).stream().map(Field::getType).toArray());
        }

        private static List<Field> components(Class<?> type) {
            return Arrays.stream(type.getDeclaredFields())
                    .filter(field -> !Modifier.isStatic(field.getModifiers()))
                    .toList();
        }
    }
}
