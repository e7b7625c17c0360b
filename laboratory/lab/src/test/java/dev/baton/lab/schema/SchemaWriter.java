package dev.baton.lab.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.lab.request.Study;
import dev.baton.lab.results.Findings;
import dev.baton.lab.results.StudyKind;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Writes the JSON Schema of a record as it stands: its components are the properties, its Javadoc their description.
 *
 * <p>A component may be null when it is a boxed number, or when its description, or for a text that of its record, speaks
 * of null. All others are required, but for those that were added after the first release of the schema's version.
 * Whole numbers are not negative unless named below. Confined to one thread.
 */
final class SchemaWriter {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** The published studies; tests add others. */
    private static final List<StudyKind> OURS = StudyKind.all().stream()
            .filter(kind -> kind.getClass().getPackageName().startsWith("dev.baton.lab.study."))
            .toList();

    /** Absent from files that earlier writers of the same version left, so not required. */
    private static final Set<String> ADDED = Set.of(
            "TrialResult.histograms",
            "TrialResult.explanation",
            "Experiment.grade",
            "Experiment.selftest",
            "Experiment.Entry.checksums",
            "TrialEnvironment.host",
            "TrialEnvironment.Jvm.changedFlags",
            "Stage.untimed",
            "Percentile.isSenderLate",
            "Load.generator",
            "Machine.generator",
            "Delivery.undrained",
            "WindowStudy.keyOrder",
            "WindowStudy.aggregate",
            "Load.burst",
            "Load.backlog",
            "Load.firstInstance",
            "Load.latencyFrom",
            "Shape.work",
            "Delivery.filtered",
            "Keys.partitions",
            "Rate.partitions",
            "LoopPlan.batch",
            "Outcome.blamesHost",
            "Headline.costs",
            "Phases.endsWhenBroken",
            "Phases.isProvisional",
            "Place.isKept",
            "TrialResult.elsewhere",
            "RemoteProcess.timeline",
            "SoakFindings.elsewhere",
            "Advice.deciding",
            "Advice.Costs.wholeCores",
            "Advice.Row.isHopeless",
            "Advice.Row.isProvisional");

    private static final Set<String> ANY_SIGN = Set.of(
            "Experiment.seed",
            "Load.seed",
            "Disturbance.startNanos",
            "HostActivity.Stall.atNanos",
            "Trend.tenths",
            "Trend.perHour",
            "Trend.grown");

    /** From 0 to 1. */
    private static final Set<String> SHARES = Set.of(
            "Rate.share",
            "Rate.worstShare",
            "Second.stealShare",
            "Second.busyShare",
            "HostActivity.stealShare",
            "HostActivity.worstStealShare",
            "HostActivity.busyShare",
            "LoadFindings.gcCpuShare",
            "Tail.Share.part");

    /** Units by the end of a name. */
    private static final Map<String, String> UNITS = Map.of(
            "Nanos", "nanoseconds",
            "nanos", "nanoseconds",
            "Millis", "milliseconds",
            "Bytes", "bytes",
            "bytes", "bytes",
            "PerSecond", "messages per second",
            "CpuCores", "cores",
            "cpuCores", "cores");

    private final Map<String, JsonNode> definitions = new TreeMap<>();
    private final Map<String, Class<?>> types = new TreeMap<>();

    private SchemaWriter() {}

    /** The whole schema. @param id that names it and its version */
    static ObjectNode schema(Class<?> root, String id, String title) {
        SchemaWriter writer = new SchemaWriter();
        ObjectNode schema = MAPPER.createObjectNode();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("$id", id);
        schema.put("title", title);
        schema.put(
                "$comment",
                "Generated from the records of the laboratory. Properties that are not described here are allowed: a"
                        + " later writer of the same version may add some, and a reader ignores what it does not know.");
        writer.define(root);
        schema.put("$ref", reference(root));
        ObjectNode all = schema.putObject("$defs");
        writer.definitions.forEach(all::set);
        return schema;
    }

    private void define(Class<?> type) {
        String name = name(type);
        Class<?> other = types.putIfAbsent(name, type);
        if (other == type) {
            return;
        }
        if (other != null) {
            throw new IllegalStateException("two types of the name " + name + ": " + other + " and " + type);
        }
        if (type.isRecord()) {
            definitions.put(name, record(type));
        } else if (type.isEnum()) {
            definitions.put(name, constants(type));
        } else if (type == Study.class) {
            definitions.put(name, choice(type, StudyKind::request));
        } else if (type == Findings.class) {
            definitions.put(name, choice(type, StudyKind::findings));
        } else {
            throw new IllegalStateException("no way to describe " + type);
        }
    }

    private ObjectNode record(Class<?> type) {
        ObjectNode schema = described(Descriptions.of(type));
        schema.put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        ArrayNode required = MAPPER.createArrayNode();
        OURS.stream()
                .filter(kind -> kind.request() == type || kind.findings() == type)
                .forEach(kind -> {
                    properties.putObject("kind").put("const", kind.name());
                    required.add("kind");
                });
        for (RecordComponent component : type.getRecordComponents()) {
            String path = name(type) + "." + component.getName();
            boolean isNullable = isNullable(type, component);
            properties.set(component.getName(), property(component, path, isNullable));
            if (!isNullable && !ADDED.contains(path)) {
                required.add(component.getName());
            }
        }
        schema.set("required", required);
        return schema;
    }

    private static boolean isNullable(Class<?> type, RecordComponent component) {
        Class<?> of = component.getType();
        if (of.isPrimitive() || Collection.class.isAssignableFrom(of) || Map.class.isAssignableFrom(of)) {
            return false;
        }
        boolean isBoxed = Number.class.isAssignableFrom(of) || of == Boolean.class;
        return isBoxed
                || speaksOfNull(Descriptions.of(type, component.getName()))
                || of == String.class && speaksOfNull(Descriptions.of(type));
    }

    private static boolean speaksOfNull(String text) {
        return text.matches("(?is).*\\bnull\\b.*");
    }

    private ObjectNode property(RecordComponent component, String path, boolean isNullable) {
        String text = Descriptions.of(component.getDeclaringRecord(), component.getName());
        String words = text.isEmpty() ? words(component.getName()) : text;
        ObjectNode schema = described(words + unit(component.getName(), words));
        describe(schema, component.getGenericType(), path, isNullable);
        return schema;
    }

    /** A component that needs no comment says what it is by its name. */
    private static String words(String name) {
        return name.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
    }

    private static String unit(String name, String words) {
        return UNITS.entrySet().stream()
                .filter(unit -> name.endsWith(unit.getKey()) && !words.contains(unit.getValue()))
                .map(unit -> " [" + unit.getValue() + "]")
                .findFirst()
                .orElse("");
    }

    private void describe(ObjectNode schema, Type type, String path, boolean isNullable) {
        if (type instanceof ParameterizedType generic) {
            Type[] of = generic.getActualTypeArguments();
            boolean isMap = Map.class.isAssignableFrom((Class<?>) generic.getRawType());
            schema.put("type", isMap ? "object" : "array");
            describe(schema.putObject(isMap ? "additionalProperties" : "items"), of[of.length - 1], path, false);
            return;
        }
        Class<?> plain = (Class<?>) type;
        if (plain == String.class) {
            types(schema, "string", isNullable);
        } else if (plain == boolean.class || plain == Boolean.class) {
            types(schema, "boolean", isNullable);
        } else if (plain == double.class || plain == Double.class) {
            types(schema, "number", isNullable);
            range(schema, path);
        } else if (plain.isPrimitive() || Number.class.isAssignableFrom(plain)) {
            types(schema, "integer", isNullable);
            range(schema, path);
        } else {
            define(plain);
            if (isNullable) {
                ArrayNode either = schema.putArray("anyOf");
                either.addObject().put("$ref", reference(plain));
                either.addObject().put("type", "null");
            } else {
                schema.put("$ref", reference(plain));
            }
        }
    }

    private static void range(ObjectNode schema, String path) {
        if (path.endsWith(".schema")) {
            schema.put("const", 1);
        } else if (path.endsWith(".percentile")) {
            schema.put("exclusiveMinimum", 0).put("maximum", 100);
        } else if (!ANY_SIGN.contains(path)) {
            schema.put("minimum", 0);
        }
        if (SHARES.contains(path)) {
            schema.put("maximum", 1);
        }
    }

    private static void types(ObjectNode schema, String type, boolean isNullable) {
        if (isNullable) {
            schema.putArray("type").add(type).add("null");
        } else {
            schema.put("type", type);
        }
    }

    private static ObjectNode constants(Class<?> type) {
        ObjectNode schema = described(Descriptions.of(type));
        ArrayNode all = schema.putArray("enum");
        for (Object constant : type.getEnumConstants()) {
            all.add(((Enum<?>) constant).name().toLowerCase(Locale.ROOT));
        }
        return schema;
    }

    private ObjectNode choice(Class<?> type, Function<StudyKind, Class<?>> part) {
        ObjectNode schema = described(Descriptions.of(type));
        ArrayNode all = schema.putArray("oneOf");
        OURS.stream()
                .map(part)
                .filter(Objects::nonNull)
                .sorted(Comparator.comparing(Class::getSimpleName))
                .forEach(each -> {
                    define(each);
                    all.addObject().put("$ref", reference(each));
                });
        return schema;
    }

    private static ObjectNode described(String text) {
        ObjectNode schema = MAPPER.createObjectNode();
        if (!text.isEmpty()) {
            schema.put("description", text);
        }
        return schema;
    }

    private static String reference(Class<?> type) {
        return "#/$defs/" + name(type);
    }

    private static String name(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return outer == null ? type.getSimpleName() : name(outer) + "." + type.getSimpleName();
    }
}
