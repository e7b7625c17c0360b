package dev.baton.lab.study.advice;

import dev.baton.lab.matrix.Spread;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.density.CorePrice;
import dev.baton.operations.line.Checks;
import dev.baton.operations.settings.Secrets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * The content of an {@code advice.json}: the question, the measurements and the recommendation. Immutable, thread-safe.
 *
 * @param schema {@value #SCHEMA} for files written by this version
 * @param asked one line for a person
 * @param end recommended, none, inconclusive or interrupted
 * @param why there is no recommendation, in a sentence; empty where there is one
 * @param take the recommended setting; null without a recommendation
 * @param ruledOut one sentence for each transport that lacks a required guarantee
 * @param tried the settings that were measured in short trials, in their order
 * @param deciding the trials that confirm, in their order
 */
public record Advice(
        int schema,
        String asked,
        String end,
        String why,
        Recommendation take,
        List<String> ruledOut,
        List<Row> tried,
        List<Row> deciding) {
    static final int SCHEMA = 1;

    /** The name of the file in the experiment's folder. */
    static final String FILE = "advice.json";

    /** The name of the file with the configuration as arguments, in the same folder. */
    static final String ARGUMENTS = "advice.args";

    public Advice {
        ruledOut = List.copyOf(ruledOut);
        tried = List.copyOf(tried);
        deciding = deciding == null ? List.of() : List.copyOf(deciding); // absent from older files
    }

    /**
     * Creates an advice.
     *
     * @param coreHour price of a core for an hour; null without one
     */
    static Advice of(String asked, SearchEnd finding, AdviceSearch search, List<String> ruledOut, CorePrice coreHour) {
        Recommendation take = finding.taken() == null ? null : Recommendation.of(finding, search, coreHour);
        return new Advice(
                SCHEMA,
                asked,
                Checks.typed(finding.end()),
                finding.why(),
                take,
                ruledOut,
                search.tried.stream().map(Row::of).toList(),
                search.decided.stream().map(Row::of).toList());
    }

    /**
     * The recommended setting.
     *
     * @param setting in one line
     * @param properties options of {@code service} and {@code chain}, by name
     * @param options of the transport, without secrets
     * @param jvmFlags of the JVM in which it was measured
     * @param code that starts a chain with it
     * @param costs of the setting
     * @param givesUp one sentence for each missing guarantee and each disadvantage
     * @param sureness one sentence for each reason for or against trust in the recommendation
     */
    public record Recommendation(
            String setting,
            Map<String, String> properties,
            Map<String, String> options,
            List<String> jvmFlags,
            String code,
            Costs costs,
            List<String> givesUp,
            List<String> sureness) {
        static Recommendation of(SearchEnd finding, AdviceSearch search, CorePrice coreHour) {
            Candidate taken = finding.taken();
            List<String> flags =
                    finding.run().results(taken).get(0).environment().jvm().flags();
            return new Recommendation(
                    taken.name(),
                    Configuration.properties(taken),
                    taken.shownOptions(),
                    flags.stream().map(Secrets::redacted).toList(),
                    Configuration.code(taken),
                    Costs.of(finding.run().results(taken), coreHour),
                    AdviceText.givesUp(finding, search.tried),
                    AdviceText.sureness(finding, search));
        }
    }

    /**
     * The costs of the confirming trials, as medians.
     *
     * @param cpuNanosPerMessage CPU time of the JVM and of brokers on this machine
     * @param cores CPU time over wall time
     * @param wholeCores the cores that it needs: those of the trial with the highest use, rounded up
     * @param memoryBytes resident, brokers included; null: unknown
     * @param pricePerMillion of messages, in the currency of the given price; null without one
     * @param pricePerMonth of the CPU time of 730 hours, in the same currency; null without one
     * @param wholeCoresPerMonth price of all needed cores for a month, including their idle time; null without a price
     * @param currency of the prices, empty if none was given; null without a price
     */
    public record Costs(
            double cpuNanosPerMessage,
            double cores,
            int wholeCores,
            Long memoryBytes,
            Double pricePerMillion,
            Double pricePerMonth,
            Double wholeCoresPerMonth,
            String currency) {
        private static final double NANOS_PER_HOUR = 3.6e12;
        private static final double HOURS_PER_MONTH = 730;
        private static final double MILLION = 1e6;

        /**
         * Computes the costs.
         *
         * @param price of a core for an hour; null without one
         */
        static Costs of(List<TrialResult> results, CorePrice price) {
            double nanos = median(results, Tried::cpuNanos);
            Spread cores = Spread.of(values(results, TrialResult::cpuCores));
            int whole = (int) Math.max(1, Math.ceil(cores.most()));
            Spread memory = Spread.of(values(results, Costs::memory));
            return new Costs(
                    nanos,
                    cores.median(),
                    whole,
                    memory == null ? null : Math.round(memory.median()),
                    price == null ? null : nanos * MILLION / NANOS_PER_HOUR * price.amount(),
                    price == null ? null : cores.median() * HOURS_PER_MONTH * price.amount(),
                    price == null ? null : whole * HOURS_PER_MONTH * price.amount(),
                    price == null ? null : price.currency());
        }

        private static double median(List<TrialResult> results, Function<TrialResult, Double> value) {
            return Spread.of(values(results, value)).median();
        }

        private static Collection<Double> values(List<TrialResult> results, Function<TrialResult, Double> value) {
            return results.stream().map(value).filter(Objects::nonNull).toList();
        }

        private static Double memory(TrialResult result) {
            if (result.machine() == null || result.machine().memory() == null) {
                return null;
            }
            double own = result.machine().memory().residentBytes();
            return result.machine().brokerMemory() == null
                    ? own
                    : own + result.machine().brokerMemory().residentBytes();
        }
    }

    /**
     * A trial of a setting.
     *
     * @param verdict of the trial
     * @param reason why it did not hold; empty when it did
     * @param cpuNanosPerMessage null: unknown
     * @param limitShare used part of the tightest limit, 1 for all of it; null: nothing was recorded
     * @param isHopeless whether it ended the search over its transport: it delivered less than half of the rate, had a median beyond a
     * limit, or did not end
     * @param isProvisional whether the verdict is based on percentiles with fewer than 100 samples above, and so does not count
     */
    public record Row(
            String setting,
            String verdict,
            String reason,
            Double cpuNanosPerMessage,
            Double limitShare,
            boolean isHopeless,
            boolean isProvisional) {
        static Row of(Tried tried) {
            return new Row(
                    tried.setting().name(),
                    tried.verdict().name(),
                    tried.reason(),
                    tried.cpuNanos(),
                    tried.share() == Double.MAX_VALUE ? null : Double.valueOf(tried.share()),
                    tried.isHopeless(),
                    tried.isProvisional());
        }
    }
}
