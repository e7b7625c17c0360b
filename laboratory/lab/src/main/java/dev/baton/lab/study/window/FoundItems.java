package dev.baton.lab.study.window;

import dev.baton.lab.request.Limit;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.search.CapacitySearch.Finding;
import dev.baton.measuring.data.Latency;
import java.util.List;

/**
 * The results of searches for the most items: the content of a {@code window-search.json}. Immutable, thread-safe.
 *
 * @param schema {@value #SCHEMA} for files written by this version
 * @param limits that were to be kept, as given on the command line
 * @param jobs one for each search
 */
public record FoundItems(int schema, List<String> limits, List<Job> jobs) {
    static final int SCHEMA = 1;

    /** The name of the file in the experiment's folder. */
    public static final String FILE = "window-search.json";

    public FoundItems {
        limits = List.copyOf(limits);
        jobs = List.copyOf(jobs);
    }

    static FoundItems of(List<Limit> limits, List<ItemSearch> searches) {
        return new FoundItems(
                SCHEMA,
                limits.stream().map(Limit::toString).toList(),
                searches.stream().map(search -> Job.of(search, limits)).toList());
    }

    /**
     * One search.
     *
     * @param name transport, state, loops and threads of the collector
     * @param isConclusive whether the search came to its end
     * @param isProvisional whether its verdicts rest on too few steps to be quoted
     * @param mostKeys with which the limits were kept; null: none
     * @param mostItemsPerSecond the same in events and results; null: none
     * @param brokenKeys the fewest that broke them above that; null: none
     * @param answer in a sentence or two
     * @param points what was measured, by rising numbers of keys
     */
    public record Job(
            String name,
            boolean isConclusive,
            boolean isProvisional,
            Integer mostKeys,
            Double mostItemsPerSecond,
            Integer brokenKeys,
            String answer,
            List<Tried> points) {
        public Job {
            points = List.copyOf(points);
        }

        static Job of(ItemSearch search, List<Limit> limits) {
            Finding finding = search.finding();
            Tried holds = search.at(finding.holds());
            Tried breaks = search.at(finding.breaks());
            return new Job(
                    search.name,
                    search.isConclusive(),
                    search.isProvisional(),
                    holds == null ? null : Integer.valueOf(holds.keys()),
                    holds == null ? null : Double.valueOf(holds.itemsPerSecond()),
                    breaks == null ? null : Integer.valueOf(breaks.keys()),
                    ItemSearchText.answer(search, limits),
                    search.points());
        }
    }

    /**
     * One number of keys.
     *
     * @param keys that each step emitted
     * @param itemsPerSecond events and results, as requested
     * @param trials whose steps were pooled
     * @param over steps that were not within each of the limits, in their order
     * @param response of all pooled steps
     * @param verdict the last one; null: none yet
     * @param isDecided whether that is based on as many steps as the answer
     * @param reason why it failed; empty when it did not
     */
    public record Tried(
            int keys,
            double itemsPerSecond,
            int trials,
            List<Long> over,
            Latency response,
            Verdict verdict,
            boolean isDecided,
            String reason) {
        public Tried {
            over = List.copyOf(over);
        }
    }
}
