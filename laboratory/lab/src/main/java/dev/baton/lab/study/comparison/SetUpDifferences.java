package dev.baton.lab.study.comparison;

import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.TransportProperties;
import dev.baton.measuring.data.TrialEnvironment;
import dev.baton.operations.chains.ForwardingChain;
import dev.baton.operations.chains.NamedChain;
import dev.baton.operations.line.Checks;
import dev.baton.operations.terminal.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The differences between the set-ups of two trials. Immutable, thread-safe.
 *
 * @param forbidding differences that make the figures incomparable
 * @param others all the rest, one line each
 */
public record SetUpDifferences(List<String> forbidding, List<String> others) {
    /** Options that name a place and have no other effect. */
    private static final Set<String> PLACES = Set.of("dir", "bootstrap-servers");

    /** Compares the first trials of two series, and the experiments to which they belong. */
    static SetUpDifferences of(ComparisonSide before, List<Sample> first, ComparisonSide after, List<Sample> second) {
        TrialResult one = first.get(0).result();
        TrialResult other = second.get(0).result();
        return new SetUpDifferences(questions(one, other), ways(before, one, after, other));
    }

    /** Two values of a kind, and their differences. Confined to one thread. */
    private record Pair<T>(T one, T other, List<String> lines) {
        Pair<T> by(String name, Function<T, ?> property) {
            Object first = property.apply(one);
            Object second = property.apply(other);
            if (!Objects.equals(first, second)) {
                lines.add(name + ": " + text(first) + " before, " + text(second) + " after");
            }
            return this;
        }

        private static String text(Object value) {
            if (value instanceof Collection<?> several) {
                return several.isEmpty()
                        ? "none"
                        : several.stream().map(String::valueOf).collect(Collectors.joining(", "));
            }
            return value == null ? "not set" : value.toString();
        }
    }

    private static List<String> questions(TrialResult one, TrialResult other) {
        List<String> lines = new ArrayList<>();
        new Pair<>(one.plan(), other.plan(), lines)
                .by("study", SetUpDifferences::kind)
                .by("chain", plan -> chain(plan.shape().chain()))
                .by("services", plan -> plan.shape().services())
                .by("instances", plan -> plan.shape().instances())
                .by("payload bytes", plan -> plan.shape().payloadBytes())
                .by("payload sizes", plan -> plan.shape().sizes())
                .by("keys", plan -> plan.shape().keys())
                .by("work", plan -> plan.shape().work())
                .by("rate per second", plan -> plan.load().ratePerSecond())
                .by("requests in flight", plan -> plan.load().concurrency())
                .by("arrivals", plan -> plan.load().arrivals() + plan.load().manner())
                .by("replay", plan -> plan.load().replay());
        new Pair<>(one.transport(), other.transport(), lines).by("guarantees", TransportProperties::guarantees);
        return lines;
    }

    private static Object chain(NamedChain chain) {
        return chain == null ? ForwardingChain.NAME : chain.name() + " " + chain.options();
    }

    private static Object kind(TrialPlan plan) {
        return plan.study().getClass().getSimpleName();
    }

    private static List<String> ways(ComparisonSide before, TrialResult one, ComparisonSide after, TrialResult other) {
        List<String> lines = new ArrayList<>();
        Pair<TrialPlan> plans = new Pair<>(one.plan(), other.plan(), lines)
                .by("transport", plan -> plan.subject().transport())
                .by("engine", plan -> plan.subject().engine());
        Set<String> options = new TreeSet<>(one.plan().subject().options().keySet());
        options.addAll(other.plan().subject().options().keySet());
        options.removeAll(PLACES);
        options.forEach(
                key -> plans.by("-o " + key, plan -> plan.subject().options().get(key)));
        new Pair<>(one.place(), other.place(), lines)
                .by("brokers of our own", place -> place.brokerPids().size())
                .by(
                        "processes that share the trial",
                        place -> place.meeting() == null ? 1 : place.meeting().processes())
                .by("services in processes of their own", place -> place.spread() != null);
        plans.by("jar of the chain", plan -> plan.shape().chain());
        plans.by("threading", plan -> plan.loops().threading())
                .by("idle", plan -> plan.loops().idle())
                .by("generator", plan -> Checks.typed(plan.load().generator()))
                .by("latency budget", plan -> typed(plan.loops().latencyBudgetNanos()))
                .by("batch", plan -> plan.loops().batch())
                .by("study's values", TrialPlan::study)
                .by("warm-up", plan -> typed(plan.phases().warmupNanos()))
                .by("duration", plan -> typed(plan.phases().measureNanos()));
        new Pair<>(one.environment(), other.environment(), lines)
                .by("JVM", each -> each.jvm().version())
                .by("JVM's vendor", each -> each.jvm().vendor())
                .by("JVM's flags", each -> each.jvm().flags())
                .by("collectors", each -> each.jvm().collectors())
                .by("CPU", TrialEnvironment::cpuModel)
                .by("processors", TrialEnvironment::processors)
                .by("memory bytes", TrialEnvironment::memoryBytes)
                .by("kernel", TrialEnvironment::kernel)
                .by("clock", TrialEnvironment::clockSource)
                .by("file system", TrialEnvironment::fileSystem)
                .by("libraries", TrialEnvironment::libraries);
        new Pair<>(before, after, lines).by("Baton's revision", SetUpDifferences::revision);
        return lines;
    }

    private static String typed(long nanos) {
        return Units.typed(Duration.ofNanos(nanos));
    }

    private static Object revision(ComparisonSide side) {
        if (side.experiment() == null || side.experiment().revision() == null) {
            return "unknown";
        }
        return side.experiment().revision().commit()
                + (side.experiment().revision().isDirty() ? " with changes" : "");
    }
}
