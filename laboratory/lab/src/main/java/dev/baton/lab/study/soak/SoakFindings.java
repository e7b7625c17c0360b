package dev.baton.lab.study.soak;

import dev.baton.lab.results.Findings;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a soak found beyond its latencies. Immutable, thread-safe.
 *
 * @param points at which was counted what is held
 * @param rule by which a trend is told from noise, in words for a person
 * @param trends of all quantities
 * @param elsewhere trends of processes that ran services and were not started for it, in the order of their addresses
 */
public record SoakFindings(int points, String rule, List<Trend> trends, List<OfProcess> elsewhere) implements Findings {
    /**
     * How the quantities of one process elsewhere went. Immutable, thread-safe.
     *
     * @param address where it answered
     * @param points at which it was counted what it held
     * @param trends of what it says of itself
     */
    public record OfProcess(String address, int points, List<Trend> trends) {
        public OfProcess {
            trends = trends == null ? List.of() : List.copyOf(trends);
        }
    }

    public SoakFindings {
        rule = rule == null ? "" : rule;
        trends = trends == null ? List.of() : List.copyOf(trends);
        elsewhere = elsewhere == null ? List.of() : List.copyOf(elsewhere);
    }

    /** Those that fail a soak, of all processes. */
    public List<Trend> growing() {
        return Stream.concat(trends.stream(), elsewhere.stream().flatMap(each -> each.trends().stream()))
                .filter(each -> each.judgement() == Trend.Judgement.GROWS)
                .toList();
    }
}
