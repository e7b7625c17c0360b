package dev.baton.lab.study.comparison;

import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.Environment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * What differs in how two trials were run. Immutable, thread-safe.
 *
 * @param forbidding differences that make the figures answers to different questions
 * @param others all the rest, one line each
 */
public record SetUpDifferences(List<String> forbidding, List<String> others) {
    /** Options that name a place and change nothing. */
    private static final Set<String> PLACES = Set.of("dir", "bootstrap-servers");

    /** Of two trials, and of the experiments that they belong to. */
    public static SetUpDifferences of(ComparisonSide before, TrialResult one, ComparisonSide after, TrialResult other) {
        return new SetUpDifferences(questions(one, other), ways(before, one, after, other));
    }

    private static List<String> questions(TrialResult one, TrialResult other) {
        Map<String, Object[]> facts = new LinkedHashMap<>();
        TrialPlan a = one.plan();
        TrialPlan b = other.plan();
        facts.put("study", pair(kind(a), kind(b)));
        facts.put("services", pair(a.shape().services(), b.shape().services()));
        facts.put("instances", pair(a.shape().instances(), b.shape().instances()));
        facts.put("payload bytes", pair(a.shape().payloadBytes(), b.shape().payloadBytes()));
        facts.put("rate per second", pair(a.load().ratePerSecond(), b.load().ratePerSecond()));
        facts.put("arrivals", pair(a.load().arrivals(), b.load().arrivals()));
        facts.put(
                "guarantees",
                pair(one.transport().guarantees(), other.transport().guarantees()));
        return differing(facts);
    }

    private static Object kind(TrialPlan plan) {
        return plan.study() == null ? "chain" : plan.study().getClass().getSimpleName();
    }

    private static List<String> ways(ComparisonSide before, TrialResult one, ComparisonSide after, TrialResult other) {
        Map<String, Object[]> facts = new LinkedHashMap<>();
        TrialPlan a = one.plan();
        TrialPlan b = other.plan();
        facts.put("transport", pair(a.subject().transport(), b.subject().transport()));
        facts.put("engine", pair(a.subject().engine(), b.subject().engine()));
        Set<String> options = new TreeSet<>(a.subject().options().keySet());
        options.addAll(b.subject().options().keySet());
        options.removeAll(PLACES);
        options.forEach(key -> facts.put(
                "-o " + key,
                pair(a.subject().options().get(key), b.subject().options().get(key))));
        facts.put(
                "brokers of our own",
                pair(one.place().brokerPids().size(), other.place().brokerPids().size()));
        facts.put("threading", pair(a.loops().threading(), b.loops().threading()));
        facts.put("idle", pair(a.loops().idle(), b.loops().idle()));
        facts.put(
                "latency budget ns",
                pair(a.loops().latencyBudgetNanos(), b.loops().latencyBudgetNanos()));
        facts.put("study's values", pair(a.study(), b.study()));
        facts.put("warm-up ns", pair(a.phases().warmupNanos(), b.phases().warmupNanos()));
        facts.put("duration ns", pair(a.phases().measureNanos(), b.phases().measureNanos()));
        environment(facts, one.environment(), other.environment());
        facts.put("Baton's revision", pair(revision(before), revision(after)));
        return differing(facts);
    }

    private static void environment(Map<String, Object[]> facts, Environment a, Environment b) {
        facts.put("JVM", pair(a.jvm().version(), b.jvm().version()));
        facts.put("JVM's vendor", pair(a.jvm().vendor(), b.jvm().vendor()));
        facts.put("JVM's flags", pair(a.jvm().flags(), b.jvm().flags()));
        facts.put("collectors", pair(a.jvm().collectors(), b.jvm().collectors()));
        facts.put("CPU", pair(a.cpuModel(), b.cpuModel()));
        facts.put("processors", pair(a.processors(), b.processors()));
        facts.put("memory bytes", pair(a.memoryBytes(), b.memoryBytes()));
        facts.put("kernel", pair(a.kernel(), b.kernel()));
        facts.put("clock", pair(a.clockSource(), b.clockSource()));
        facts.put("file system", pair(a.fileSystem(), b.fileSystem()));
        facts.put("libraries", pair(a.libraries(), b.libraries()));
    }

    private static Object revision(ComparisonSide side) {
        if (side.experiment() == null || side.experiment().revision() == null) {
            return "unknown";
        }
        return side.experiment().revision().commit()
                + (side.experiment().revision().isDirty() ? " with changes" : "");
    }

    private static Object[] pair(Object one, Object other) {
        return new Object[] {one, other};
    }

    private static List<String> differing(Map<String, Object[]> facts) {
        List<String> lines = new ArrayList<>();
        facts.forEach((name, values) -> {
            if (!Objects.equals(values[0], values[1])) {
                lines.add(name + ": " + text(values[0]) + " against " + text(values[1]));
            }
        });
        return lines;
    }

    private static String text(Object value) {
        return value == null ? "none" : value.toString();
    }
}
