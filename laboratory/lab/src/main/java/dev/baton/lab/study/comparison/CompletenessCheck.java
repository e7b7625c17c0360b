package dev.baton.lab.study.comparison;

import dev.baton.lab.results.Delivery;
import dev.baton.lab.study.comparison.Gate.Check;
import dev.baton.lab.study.comparison.Gate.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * What has to be whole before percentiles say anything of a series: its messages, its chains, its trials.
 *
 * <p>Messages at fault and chains that stopped are worse where there were none before, and inconclusive where there were:
 * such a baseline proves nothing. Trials that are missing are inconclusive. Immutable, thread-safe.
 *
 * @param after empty when nothing of the series was measured
 */
record CompletenessCheck(String series, List<Sample> before, List<Sample> after) {
    /** What is wrong; empty when all is well. @param expected trials that there should be after */
    List<Check> checks(int expected) {
        List<Check> checks = new ArrayList<>();
        String stop =
                after.stream().flatMap(CompletenessCheck::stop).findFirst().orElse("");
        compare(checks, "messages", sample -> !sample.result().delivery().isFaultless(), faults());
        compare(checks, "chains", sample -> stop(sample).findAny().isPresent(), stop + ",");
        if (after.size() < expected) {
            String reason = before.size() + " before, " + after.size() + " after, where " + expected + " should be";
            checks.add(new Check(series, "trials", Outcome.INCONCLUSIVE, reason));
        }
        return checks;
    }

    private void compare(List<Check> checks, String subject, Predicate<Sample> isBad, String what) {
        long bad = after.stream().filter(isBad).count();
        if (bad > 0) {
            boolean isNew = before.stream().noneMatch(isBad);
            String since = isNew ? "; before there was none" : "; before as well: take a baseline without";
            String reason = what + " in " + bad + " of " + after.size() + " trials" + since;
            checks.add(new Check(series, subject, isNew ? Outcome.WORSE : Outcome.INCONCLUSIVE, reason));
        }
    }

    private static Stream<String> stop(Sample sample) {
        return sample.result().outcome().stop().stream();
    }

    private String faults() {
        Map<String, ToLongFunction<Delivery>> kinds = new LinkedHashMap<>();
        kinds.put("lost", Delivery::lost);
        kinds.put("duplicated", Delivery::duplicated);
        kinds.put("reordered", Delivery::reordered);
        kinds.put("corrupted", Delivery::corrupted);
        List<String> found = new ArrayList<>();
        kinds.forEach((kind, count) -> {
            long all = after.stream()
                    .map(sample -> sample.result().delivery())
                    .mapToLong(count)
                    .sum();
            if (all > 0) {
                found.add(all + " " + kind);
            }
        });
        return String.join(", ", found);
    }
}
