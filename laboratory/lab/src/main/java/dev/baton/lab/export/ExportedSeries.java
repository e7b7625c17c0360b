package dev.baton.lab.export;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.Latency;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The trials of one configuration, which are repetitions of one benchmark for other programs. Immutable, thread-safe.
 *
 * @param name {@code baton.STUDY.TRANSPORT.ENGINE}
 * @param parameters what distinguishes it from other series of its name, in alphabetical order
 * @param trials at least one, in the order in which they ran
 */
record ExportedSeries(String name, Map<String, String> parameters, List<TrialResult> trials) {

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
        Map<List<Object>, List<TrialResult>> groups = new LinkedHashMap<>();
        for (TrialResult trial : trials) {
            groups.computeIfAbsent(List.of(nameOf(trial), parametersOf(trial)), key -> new ArrayList<>())
                    .add(trial);
        }
        return groups.values().stream()
                .map(group -> new ExportedSeries(nameOf(group.get(0)), parametersOf(group.get(0)), group))
                .toList();
    }

    private static String nameOf(TrialResult trial) {
        TrialPlan plan = trial.plan();
        String study =
                plan.study().getClass().getSimpleName().replaceAll("Study$", "").toLowerCase(Locale.ROOT);
        return "baton." + study + "." + plan.subject().transport() + "."
                + plan.subject().engine();
    }

    private static Map<String, String> parametersOf(TrialResult trial) {
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
        parameters.put(
                "jvm",
                trial.environment() == null
                        ? "unknown"
                        : trial.environment().jvm().vendor() + " "
                                + trial.environment().jvm().version());
        plan.subject().options().forEach((key, value) -> parameters.put("option." + key, value));
        return parameters;
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
