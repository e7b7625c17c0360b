package dev.baton.lab.study.soak;

import dev.baton.lab.results.Findings;
import java.util.List;
import java.util.stream.Stream;

/**
 * The additional findings of a soak. Immutable, thread-safe.
 *
 * @param points of the measurement at which resources were counted
 * @param rule that distinguishes a trend from noise, in words for a person
 * @param trends of all quantities
 * @param elsewhere trends of processes that ran services and were not started for it, in the order of their addresses
 */
public record SoakFindings(int points, String rule, List<Trend> trends, List<OfProcess> elsewhere) implements Findings {
    /**
     * The trends of one process elsewhere. Immutable, thread-safe.
     *
     * @param address of its health port
     * @param points at which its resources were counted
     * @param trends of its reported quantities
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

    /** Returns the trends that fail a soak, of all processes. */
    public List<Trend> growing() {
        return Stream.concat(trends.stream(), elsewhere.stream().flatMap(each -> each.trends().stream()))
                .filter(each -> each.judgement() == Trend.Judgement.GROWS)
                .toList();
    }
}
