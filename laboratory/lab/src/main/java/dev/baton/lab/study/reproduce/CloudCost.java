package dev.baton.lab.study.reproduce;

import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.results.Headline;
import dev.baton.lab.results.InstanceFigures;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.density.ChainCost;
import dev.baton.lab.study.reproduce.StudyStep.Part;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The table of the density study, its answers, and the parts of its ratio. Stateless, thread-safe. */
final class CloudCost {
    private static final String FILE = "chain-density.csv";

    private CloudCost() {}

    static Rows figures(List<Reproduced> reproduced) {
        Rows rows = new Rows()
                .column(
                        "chains",
                        trial -> Cell.of(Units.count(trial.plan().shape().instances())))
                .percentile("p50", TrialResult::service, 50)
                .percentile("p99", TrialResult::service, 99)
                .percentile("p99.9", TrialResult::service, 99.9)
                .percentile("slot p50", TrialResult::response, 50)
                .percentile("slot p99.9", TrialResult::response, 99.9)
                .column("worst", CloudCost::worst)
                .column(
                        "CPU",
                        trial -> trial.cpuCores() == null ? ResultTable.NONE : Cell.of(Units.percent(trial.cpuCores())))
                .column("verdict", ResultTable::verdict);
        Map<Part, Headline.Cost> parts = new EnumMap<>(Part.class);
        List<String> answers = new ArrayList<>();
        for (Reproduced step : reproduced) {
            medians(step).forEach((chains, trial) -> rows.add(step.step().label() + ", " + chains, trial));
            step.found().ifPresent(cost -> {
                answers.add(step.step().label() + ": " + answer(cost));
                parts.put(step.step().part(), cost);
            });
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
                        "",
                        row[5] + " %",
                        Boolean.parseBoolean(row[6]) ? "within" : "beyond"));
        rows.note("", "")
                .note(
                        "",
                        "p50, p99 and p99.9 are those of all messages, from the send; worst is the p99.9 of the worst chain,"
                                + " which is judged. Baton's paced loops send when they sweep, so that only latencies from"
                                + " the slot contain their delay.");
        answers.forEach(text -> rows.note("", text));
        ratio(parts).forEach(text -> rows.note("", text));
        return rows;
    }

    private static Cell worst(TrialResult trial) {
        return trial.worstInstance()
                .map(InstanceFigures::p999Nanos)
                .map(nanos -> Cell.of(Units.time(nanos)))
                .orElse(ResultTable.NONE);
    }

    static String answer(Headline.Cost found) {
        ChainCost cost = new ChainCost(found.chains(), found.cores());
        return String.format(
                Locale.ROOT,
                "%s chains%s on %d cores, %.3g per core, normalised cost (1 / chains) %.5f.",
                Units.count(found.chains()),
                found.isSure() ? "" : " (inconclusive)",
                found.cores(),
                cost.chainsPerCore(),
                cost.normalised());
    }

    /** Returns the parts of the ratio; empty unless all parts were measured. */
    static List<String> ratio(Map<Part, Headline.Cost> found) {
        List<Part> parts = List.of(Part.ARTICLE, Part.ALLOWED, Part.UNPACED, Part.PACED);
        if (!found.keySet().containsAll(parts)) {
            return List.of();
        }
        double article = found.get(Part.ARTICLE).chains();
        double allowed = found.get(Part.ALLOWED).chains();
        double unpaced = found.get(Part.UNPACED).chains();
        double paced = found.get(Part.PACED).chains();
        List<String> sentences = new ArrayList<>(List.of(
                String.format(
                        Locale.ROOT,
                        "Over Chronicle Queue Baton carries %.3g times as many chains as the article's loops. Both without"
                                + " added latency it is %.3g times: that is the engine, with fewer threads. Loops that rest"
                                + " as long as Baton may carry %.3g times as many, and Baton with pacing %.3g times.",
                        paced / article,
                        unpaced / article,
                        allowed / article,
                        paced / unpaced),
                "This is no comparison of queues, as all use the same one. It holds for this limit, this rate and this"
                        + " machine, and is smaller when less latency is allowed."));
        if (!parts.stream().allMatch(part -> found.get(part).isSure())) {
            sentences.add("The ratio is inconclusive, as one of its numbers is.");
        }
        return sentences;
    }

    /** Returns for each number of chains the trial whose worst chain is the median. */
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
