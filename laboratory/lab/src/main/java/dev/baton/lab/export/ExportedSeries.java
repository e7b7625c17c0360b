package dev.baton.lab.export;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Place;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Json;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.TrialEnvironment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The trials of one configuration, which are repetitions of one benchmark for other programs. Immutable, thread-safe.
 *
 * @param name {@code baton.STUDY.TRANSPORT.ENGINE}
 * @param parameters what distinguishes it from other series of its name, in alphabetical order
 * @param trials at least one, in the order in which they ran
 */
record ExportedSeries(String name, Map<String, String> parameters, List<TrialResult> trials) {

    /** Components of a plan that the name or another parameter contains, or that differ between repetitions. */
    private static final Set<String> NAMED = Set.of("kind", "seed", "ratePerSecond", "idle");

    /** The latencies of a trial by the name that other programs show. */
    static final Map<String, Function<TrialResult, Latency>> LATENCIES = latencies();

    ExportedSeries {
        trials = List.copyOf(trials);
    }

    private static Map<String, Function<TrialResult, Latency>> latencies() {
        Map<String, Function<TrialResult, Latency>> latencies = new LinkedHashMap<>();
        latencies.put("response", TrialResult::response);
        latencies.put("service", TrialResult::service);
        latencies.put("sendDelay", TrialResult::sendDelay);
        return latencies;
    }

    /** Groups trials by their configuration, in the order of the first trial of each. */
    static List<ExportedSeries> of(List<TrialResult> trials) {
        Set<String> libraries = differingLibraries(trials);
        Map<List<Object>, List<TrialResult>> groups = new LinkedHashMap<>();
        for (TrialResult trial : trials) {
            groups.computeIfAbsent(List.of(nameOf(trial), parametersOf(trial, libraries)), key -> new ArrayList<>())
                    .add(trial);
        }
        return groups.values().stream()
                .map(group -> new ExportedSeries(nameOf(group.get(0)), parametersOf(group.get(0), libraries), group))
                .toList();
    }

    /** Returns the libraries of which the trials used several versions. */
    private static Set<String> differingLibraries(List<TrialResult> trials) {
        Map<String, String> first = new HashMap<>();
        Set<String> differing = new TreeSet<>();
        for (TrialResult trial : trials) {
            librariesOf(trial).forEach((library, version) -> {
                if (!version.equals(first.computeIfAbsent(library, each -> version))) {
                    differing.add(library);
                }
            });
        }
        return differing;
    }

    private static Map<String, String> librariesOf(TrialResult trial) {
        boolean isKnown = trial.environment() != null && trial.environment().libraries() != null;
        return isKnown ? trial.environment().libraries() : Map.of();
    }

    private static String nameOf(TrialResult trial) {
        TrialPlan plan = trial.plan();
        String study =
                plan.study().getClass().getSimpleName().replaceAll("Study$", "").toLowerCase(Locale.ROOT);
        return "baton." + study + "." + plan.subject().transport() + "."
                + plan.subject().engine();
    }

    private static Map<String, String> parametersOf(TrialResult trial, Set<String> libraries) {
        TrialPlan plan = trial.plan();
        Load load = plan.load();
        Map<String, String> parameters = new TreeMap<>();
        parameters.put("services", String.valueOf(plan.shape().services()));
        parameters.put("instances", String.valueOf(plan.shape().instances()));
        if (plan.shape().partitions() > 1) {
            parameters.put("partitions", String.valueOf(plan.shape().partitions()));
        }
        parameters.put("payloadBytes", String.valueOf(plan.shape().payloadBytes()));
        parameters.put("rate", load.isSaturated() ? "max" : String.valueOf(load.ratePerSecond()));
        parameters.put("arrivals", load.arrivals().name().toLowerCase(Locale.ROOT));
        parameters.put("threading", plan.loops().threading());
        parameters.put("idle", Objects.requireNonNullElse(plan.loops().idle(), "default"));
        parameters.put("latencyBudgetNanos", String.valueOf(plan.loops().latencyBudgetNanos()));
        plan.subject().options().forEach((key, value) -> parameters.put("option." + key, value));
        addProcesses(parameters, trial);
        for (String part : List.of("shape", "load", "loops", "phases", "study", "observers")) {
            addOthers(
                    parameters, "", Json.parse(Json.line(plan), JsonNode.class).path(part));
        }
        if (trial.environment() == null) {
            parameters.put("jvm", "unknown");
            return parameters;
        }
        TrialEnvironment.Jvm jvm = trial.environment().jvm();
        parameters.put("jvm", jvm.vendor() + " " + jvm.version());
        parameters.put("collectors", String.join(", ", jvm.collectors()));
        parameters.put("maxHeapBytes", String.valueOf(jvm.maxHeapBytes()));
        parameters.put("jvmFlags", String.join(" ", jvm.flags()));
        librariesOf(trial).forEach((library, version) -> {
            if (libraries.contains(library)) {
                parameters.put("library." + library, version);
            }
        });
        return parameters;
    }

    /** Adds the brokers and the processes, which are in no plan; nothing where a trial ran in one JVM without brokers of our own. */
    private static void addProcesses(Map<String, String> parameters, TrialResult trial) {
        Place place = trial.place();
        if (!place.brokerPids().isEmpty()) {
            parameters.put("brokers", String.valueOf(place.brokerPids().size()));
        }
        if (place.meeting() != null) {
            parameters.put("processes", String.valueOf(place.meeting().processes()));
        } else if (place.spread() != null) {
            parameters.put("processes", trial.elsewhere().isEmpty() ? "per-service" : "elsewhere");
        }
    }

    /** Adds the other components of a part of a plan that differ from their defaults, such as the work of services. */
    private static void addOthers(Map<String, String> parameters, String prefix, JsonNode part) {
        part.properties().forEach(field -> {
            String name = prefix + field.getKey();
            JsonNode value = field.getValue();
            if (value.isObject()) {
                addOthers(parameters, name + ".", value);
            } else if (!NAMED.contains(name) && !isDefault(value)) {
                parameters.putIfAbsent(name, value.isTextual() ? value.asText() : value.toString());
            }
        });
    }

    private static boolean isDefault(JsonNode value) {
        return value.isNull()
                || value.isArray() && value.isEmpty()
                || value.isNumber() && value.asDouble() == 0
                || value.isBoolean() && !value.asBoolean();
    }

    /** Returns the name with the parameters in which it differs from other series of its name. */
    String labelAmong(List<ExportedSeries> all) {
        StringBuilder label = new StringBuilder(name);
        parameters.forEach((key, value) -> {
            boolean isShared = all.stream()
                    .filter(each -> each.name.equals(name))
                    .allMatch(each -> value.equals(each.parameters.get(key)));
            if (!isShared) {
                label.append(' ').append(key).append('=').append(value);
            }
        });
        return label.toString();
    }
}
