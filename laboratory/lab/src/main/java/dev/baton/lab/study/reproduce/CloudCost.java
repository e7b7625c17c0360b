package dev.baton.lab.study.reproduce;

import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.results.InstanceFigures;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.study.density.ChainCost;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.terminal.Wrapped;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How many chains of five services one machine carries over Chronicle Queue and over Kafka. */
final class CloudCost implements PublishedStudy {
    private static final String FILE = "chain-density.csv";
    private static final long BUDGET_SECONDS = 20 * 60;
    private static final long QUICK_SECONDS = 60;
    private static final String ARTICLE = " --engine reference-article";
    private static final String SEND = " --latency-from send";

    /** Six rests of a chain's way add up to the latency that Baton's loops have by default under this limit. */
    private static final String PARKED = " --engine reference --idle park:7ms";

    private static final String ARTICLE_SEND = "Chronicle, the article's loops, from the send";
    private static final String ARTICLE_SLOT = "Chronicle, the article's loops, from the slot";
    private static final String ALLOWED = "Chronicle, reference loops that rest 7 ms";
    private static final String UNPACED = "Chronicle, Baton without a latency budget";
    private static final String PACED = "Chronicle, Baton";

    @Override
    public String name() {
        return "cloud-cost";
    }

    @Override
    public String question() {
        return "how many chains does a machine carry over Chronicle Queue and over Kafka, and what does one cost?";
    }

    @Override
    public String source() {
        return "\"How to Reduce Cloud Cost by 99% for EDA Kafka Applications\", P. Minborg, 2022-03-29; Ryzen 9 5950X at"
                + " 3.4 GHz, seven isolated cores for benchmark and broker, 64 GB, NVMe, Ubuntu, OpenJDK 11.0.14.1; latency"
                + " from the actual send; CPU read by eye";
    }

    @Override
    public List<String> settings() {
        return List.of(
                "chains: five services, six topics, 1,000 messages/s into each; every chain has to keep p99.9 < 100 ms;"
                        + " chains are added until one does not",
                "threads: one for each service, and one that sends to the first topic and receives from the last",
                "message: a long, the time of the send, and an int that each service raises by one; Chronicle: two values"
                        + " through the wire, the output written inside the document that is read; Kafka: the int is the"
                        + " key and the long the value of an <Integer, Long> record, a consumer and a producer for each"
                        + " service, each record sent at once",
                "without a message: Chronicle parkNanos(125 us), Kafka poll(125 us), which its client truncates to 0 ms",
                "Kafka: acks=1, no replication, one broker on the same cores, with the threads of its own defaults;"
                        + " Chronicle: the builder's own defaults for blocks, index and roll cycle",
                "no pinning, no spinning; the warm-up is discarded; both readings of latency: from the send, as published,"
                        + " and from the slot");
    }

    @Override
    public List<String> deviations() {
        return List.of(
                "the machine and its JVM are these here, and the cores are not isolated",
                "all chains are in one JVM, where some of the published ones had one each",
                "threads are given to consumers by assignment, without a group that rebalances",
                "a late message is sent at once and the ones after it at their times; the published benchmark does not say"
                        + " what it did",
                "a number counts when it passed twice, and the next one failed twice; the published one was seen once",
                "clients and broker are those of this build, not of 2022");
    }

    @Override
    public List<Step> steps() {
        return List.of(
                density(ARTICLE_SEND, "chronicle" + ARTICLE + SEND),
                density(ARTICLE_SLOT, "chronicle" + ARTICLE),
                density("Kafka, the article's loops, from the send", "kafka" + ARTICLE + SEND)
                        .withStockBroker(),
                density("Kafka, the article's loops, from the slot", "kafka" + ARTICLE)
                        .withStockBroker(),
                density(ALLOWED, "chronicle" + PARKED),
                density(UNPACED, "chronicle --latency-budget none"),
                density(PACED, "chronicle"),
                density("Kafka, Baton", "kafka"));
    }

    private static Step density(String label, String arguments) {
        return Step.of(
                label,
                "density --limit p99.9<100ms --rate 1000 --services 5 --transport " + arguments,
                "--quick --warmup 2s --duration 10s --budget " + QUICK_SECONDS + "s",
                "--budget " + BUDGET_SECONDS / 60 + "m",
                QUICK_SECONDS,
                BUDGET_SECONDS);
    }

    @Override
    public List<String> figures(List<Reproduced> reproduced, Paint paint, int width) {
        Rows rows = new Rows()
                .column(
                        "chains",
                        trial -> Cell.of(Units.count(trial.plan().shape().instances())))
                .percentile("p50", TrialResult::service, 50)
                .percentile("p99", TrialResult::service, 99)
                .percentile("p99.9", TrialResult::service, 99.9)
                .percentile("slot p99.9", TrialResult::response, 99.9)
                .column("worst", CloudCost::worst)
                .column(
                        "CPU",
                        trial -> trial.cpuCores() == null ? ResultTable.NONE : Cell.of(Units.percent(trial.cpuCores())))
                .column("verdict", ResultTable::verdict);
        Map<String, Integer> most = new LinkedHashMap<>();
        for (Reproduced step : reproduced) {
            medians(step).forEach((chains, trial) -> rows.add(step.step().label() + ", " + chains, trial));
            int holds = holds(step);
            if (holds > 0) {
                most.put(step.step().label(), holds);
            }
        }
        PublishedFile.rows(FILE)
                .forEach(row -> rows.addPublished(
                        row[0] + ", " + row[1],
                        row[1],
                        row[2] + " ms",
                        row[3] + " ms",
                        row[4] + " ms",
                        "",
                        "",
                        row[5] + " %",
                        Boolean.parseBoolean(row[6]) ? "within" : "beyond"));
        List<String> lines = new ArrayList<>(rows.lines(source(), paint, width));
        lines.add("");
        lines.addAll(Wrapped.lines(
                "",
                "p50, p99 and p99.9 are of all messages from the send, worst is the p99.9 of the worst chain, as judged.",
                width));
        Integer cores = reproduced.stream()
                .flatMap(step -> step.trials().stream())
                .map(trial -> trial.environment().processors())
                .findFirst()
                .orElse(null);
        most.forEach((label, chains) -> lines.addAll(Wrapped.lines("", label + ": " + answer(chains, cores), width)));
        ratio(most).forEach(text -> lines.addAll(Wrapped.lines("", text, width)));
        return lines;
    }

    private static Cell worst(TrialResult trial) {
        return trial.worstInstance()
                .map(InstanceFigures::p999Nanos)
                .map(nanos -> Cell.of(Units.time(nanos)))
                .orElse(ResultTable.NONE);
    }

    private static String answer(int chains, int cores) {
        ChainCost cost = new ChainCost(chains, cores);
        return String.format(
                Locale.ROOT,
                "%s chains on %d cores, %.3g per core, normalised cost (1 / chains) %.5f.",
                Units.count(chains),
                cores,
                cost.chainsPerCore(),
                cost.normalised());
    }

    /** What the ratio is made of; nothing unless all parts were measured. */
    static List<String> ratio(Map<String, Integer> most) {
        if (!most.keySet().containsAll(List.of(ARTICLE_SLOT, ALLOWED, UNPACED, PACED))) {
            return List.of();
        }
        double article = most.get(ARTICLE_SLOT);
        double allowed = most.get(ALLOWED);
        double unpaced = most.get(UNPACED);
        double paced = most.get(PACED);
        return List.of(
                String.format(
                        Locale.ROOT,
                        "Over Chronicle Queue Baton carries %.3g times as many chains as the article's loops. Both without"
                                + " added latency it is %.3g times: that is the engine, with fewer threads. Resting as long"
                                + " as Baton may buys the loops %.3g times, and pacing buys Baton %.3g times.",
                        paced / article,
                        unpaced / article,
                        allowed / article,
                        paced / unpaced),
                "The ratio is no ratio of queues, as all of these use the same one; it holds for this limit, this rate and"
                        + " this machine, and shrinks with the latency that is allowed.");
    }

    /** The largest number of chains that passed more often than it failed; 0 without one. */
    private static int holds(Reproduced step) {
        Map<Integer, Long> balance = new TreeMap<>();
        for (TrialResult trial : step.trials()) {
            Verdict verdict = trial.outcome().verdict();
            long vote = verdict == Verdict.PASS ? 1 : verdict == Verdict.FAIL ? -1 : 0;
            balance.merge(trial.plan().shape().instances(), vote, Long::sum);
        }
        return balance.entrySet().stream()
                .filter(each -> each.getValue() > 0)
                .mapToInt(Map.Entry::getKey)
                .max()
                .orElse(0);
    }

    /** For each number of chains the trial whose worst chain is the median. */
    private static Map<Integer, TrialResult> medians(Reproduced step) {
        Map<Integer, List<TrialResult>> all = step.trials().stream()
                .filter(trial -> trial.worstInstance().isPresent())
                .collect(Collectors.groupingBy(
                        trial -> trial.plan().shape().instances(), TreeMap::new, Collectors.toList()));
        Map<Integer, TrialResult> medians = new TreeMap<>();
        all.forEach((chains, trials) -> medians.put(
                chains,
                trials.stream()
                        .sorted(Comparator.comparing(
                                trial -> trial.worstInstance().orElseThrow().p999Nanos()))
                        .toList()
                        .get(trials.size() / 2)));
        return medians;
    }
}
