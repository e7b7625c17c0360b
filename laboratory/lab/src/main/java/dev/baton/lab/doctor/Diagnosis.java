package dev.baton.lab.doctor;

import dev.baton.lab.results.Grade;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A machine with its grade. Each finding has the best letter that such a machine can have, and the grade is the worst of these letters. An
 * unknown property has no letter and does not lower the grade. Immutable, thread-safe.
 *
 * @param findings worst first, unknown ones last
 * @param readings the figures that the findings follow from, by the name of their kind
 */
public record Diagnosis(List<Finding> findings, Map<String, Object> readings) {
    private static final Comparator<Finding> WORST_FIRST = Comparator.comparing(
                    Finding::letter, Comparator.nullsFirst(Comparator.<GradeLetter>naturalOrder()))
            .reversed();

    /** The readings of one property; its findings depend only on its figures. Immutable, thread-safe. */
    interface Reading {
        /** Returns the findings, at least one. */
        List<Finding> findings();
    }

    public Diagnosis {
        findings = findings.stream().sorted(WORST_FIRST).toList();
    }

    static Diagnosis of(List<? extends Reading> readings) {
        Map<String, Object> named = new LinkedHashMap<>();
        readings.forEach(each -> {
            String kind = each.getClass().getSimpleName();
            named.put(Character.toLowerCase(kind.charAt(0)) + kind.substring(1), each);
        });
        return new Diagnosis(
                readings.stream().flatMap(each -> each.findings().stream()).toList(), named);
    }

    /** Returns the diagnosis with another one. */
    public Diagnosis and(Diagnosis other) {
        Map<String, Object> all = new LinkedHashMap<>(readings);
        all.putAll(other.readings);
        return new Diagnosis(
                Stream.concat(findings.stream(), other.findings.stream()).toList(), all);
    }

    /** Returns the diagnosis with the findings of others. */
    public Diagnosis and(List<Finding> more) {
        return new Diagnosis(Stream.concat(findings.stream(), more.stream()).toList(), readings);
    }

    /** The worst of the findings' letters; A when nothing was found. */
    public GradeLetter letter() {
        return findings.stream()
                .map(Finding::letter)
                .filter(each -> each != null)
                .reduce(GradeLetter.A, GradeLetter::or);
    }

    /** {@return the grade for results} */
    public Grade grade() {
        return new Grade(
                letter().name(),
                findings.stream()
                        .filter(Finding::isFault)
                        .map(each -> new Grade.Finding(
                                each.letter().name(), each.subject() + ": " + each.found(), each.remedy()))
                        .toList());
    }
}
