package dev.baton.lab.study.soak;

import dev.baton.lab.results.Findings;
import java.util.List;

/**
 * What a soak found beyond its latencies. Immutable, thread-safe.
 *
 * @param points at which was counted what is held
 * @param rule by which a trend is told from noise, in words for a person
 * @param trends of all quantities
 */
public record SoakFindings(int points, String rule, List<Trend> trends) implements Findings {
    public SoakFindings {
        rule = rule == null ? "" : rule;
        trends = trends == null ? List.of() : List.copyOf(trends);
    }

    /** Those that fail a soak. */
    public List<Trend> growing() {
        return trends.stream()
                .filter(each -> each.judgement() == Trend.Judgement.GROWS)
                .toList();
    }
}
