package dev.baton.lab.study.comparison;

import dev.baton.lab.results.Delivery;
import dev.baton.lab.study.comparison.Gate.Check;
import dev.baton.lab.study.comparison.Gate.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * What has to be whole before percentiles say anything of a series: its messages, its chains, its trials.
 *
 * <p>Messages at fault and chains that stopped are worse where there were none before, and inconclusive where there were:
 * such a baseline proves nothing. Trials that are missing are inconclusive. Stateless, thread-safe.
 */
final class CompletenessCheck {
    private CompletenessCheck() {}

    /**
     * Checks one series.
     *
     * @param after empty when nothing of it was measured
     * @param expected trials that there should be after
     * @return empty when all is well
     */
    static List<Check> checks(String series, List<Sample> before, List<Sample> after, int expected) {
        List<Check> checks = new ArrayList<>();
        if (after.stream().anyMatch(CompletenessCheck::isFaulty)) {
            boolean isNew = before.stream().noneMatch(CompletenessCheck::isFaulty);
            checks.add(new Check(series, "messages", outcome(isNew), faults(after) + since(isNew)));
        }
        List<String> stops = after.stream()
                .map(CompletenessCheck::stop)
                .flatMap(Optional::stream)
                .toList();
        if (!stops.isEmpty()) {
            boolean isNew = before.stream().map(CompletenessCheck::stop).allMatch(Optional::isEmpty);
            checks.add(new Check(
                    series,
                    "chains",
                    outcome(isNew),
                    stops.get(0) + ", in " + stops.size() + " of " + after.size() + " trials" + since(isNew)));
        }
        if (after.size() < expected) {
            checks.add(new Check(
                    series,
                    "trials",
                    Outcome.INCONCLUSIVE,
                    before.size() + " before, " + after.size() + " after, where " + expected + " should be"));
        }
        return checks;
    }

    private static Outcome outcome(boolean isNew) {
        return isNew ? Outcome.WORSE : Outcome.INCONCLUSIVE;
    }

    private static String since(boolean isNew) {
        return isNew ? "; before there was none" : "; before as well: take a baseline without";
    }

    private static boolean isFaulty(Sample sample) {
        return !sample.result().delivery().isFaultless();
    }

    private static Optional<String> stop(Sample sample) {
        return sample.result().outcome().stop();
    }

    private static String faults(List<Sample> after) {
        List<String> kinds = new ArrayList<>();
        add(kinds, after, Delivery::lost, "lost");
        add(kinds, after, Delivery::duplicated, "duplicated");
        add(kinds, after, Delivery::reordered, "reordered");
        add(kinds, after, Delivery::corrupted, "corrupted");
        long faulty = after.stream().filter(CompletenessCheck::isFaulty).count();
        return String.join(", ", kinds) + " in " + faulty + " of " + after.size() + " trials";
    }

    private static void add(List<String> kinds, List<Sample> after, ToLongFunction<Delivery> count, String kind) {
        long all = after.stream()
                .map(sample -> sample.result().delivery())
                .mapToLong(count)
                .sum();
        if (all > 0) {
            kinds.add(all + " " + kind);
        }
    }
}
