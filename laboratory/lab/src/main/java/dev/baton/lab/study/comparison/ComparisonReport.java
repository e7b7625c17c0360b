package dev.baton.lab.study.comparison;

import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The comparison of two series of trials, for a person. Stateless, thread-safe. */
public final class ComparisonReport {
    /** Faulty trials of a side that have a line each. */
    private static final int MOST_FAULTS = 4;

    private ComparisonReport() {}

    public static List<String> lines(
            String name, List<Sample> before, List<Sample> after, SetUpDifferences circumstances, Terminal terminal) {
        Statistics statistics = new Statistics(before, after);
        List<Difference> differences = statistics.differences();
        TextReport report = new TextReport(terminal)
                .line(terminal.paint().apply(Tone.BOLD, name) + ": " + Units.counted(before.size(), "trial")
                        + " before, " + Units.counted(after.size(), "trial") + " after")
                .gap();
        if (differences.isEmpty()) {
            report.text("Nothing to compare: one side, or both, recorded no latency. Compare trials with messages.");
        } else {
            report.table(table(differences))
                    .gap()
                    .text(noiseRemark(statistics.repetitions()))
                    .texts("set aside as outliers: ", setAside(differences));
        }
        return report.texts(faults("before", before))
                .texts(faults("after", after))
                .texts("not comparable: ", circumstances.forbidding())
                .texts("differs: ", circumstances.others())
                .texts(disturbed("before", before))
                .texts(disturbed("after", after))
                .gap()
                .lines();
    }

    /** Medians and the answer first, so that a narrow terminal shows them in one block; then the ranges of repetitions. */
    private static Table table(List<Difference> differences) {
        boolean hasRanges = differences.stream()
                .anyMatch(each -> each.before().count() > 1 || each.after().count() > 1);
        List<String> headings = new ArrayList<>(List.of("before", "after", "change", "noise", "detectable", ""));
        if (hasRanges) {
            headings.add("trials before, after");
        }
        Table table = Table.bold(headings.toArray(String[]::new));
        for (Difference each : differences) {
            Tone tone = each.hasFewSamples() ? Tone.GREY : Tone.PLAIN;
            boolean isKnown = !Double.isInfinite(each.margin());
            List<Cell> cells = new ArrayList<>(List.of(
                    Cell.of(time(each.before().median()), tone),
                    Cell.of(time(each.after().median()), tone),
                    Cell.of(Difference.text(each.change(), "+"), tone),
                    Cell.of(isKnown ? Difference.text(each.margin(), "") : "unknown"),
                    Cell.of(isKnown ? Difference.text(each.seen(), "+") : "unknown"),
                    Cell.of(each.word().text, each.word().tone)));
            if (hasRanges) {
                String ranges = Stream.of(each.before(), each.after())
                        .map(side -> side.count() == 1 ? "-" : side.range(ComparisonReport::time))
                        .collect(Collectors.joining(", "));
                cells.add(Cell.of(ranges, Tone.PLAIN));
            }
            table.row(name(each), cells);
        }
        return table;
    }

    /**
     * Returns the exit code of a comparison: failed if a trial of either side failed; inconclusive if a trial was, or was interrupted, or
     * if there is nothing to compare.
     */
    public static int code(List<Sample> before, List<Sample> after) {
        int code = new Statistics(before, after).differences().isEmpty() ? ExitCode.INCONCLUSIVE : ExitCode.OK;
        for (Sample each : Stream.concat(before.stream(), after.stream()).toList()) {
            code = ExitCode.graver(code, code(each.result().outcome().verdict()));
        }
        return code;
    }

    private static int code(Verdict verdict) {
        return switch (verdict) {
            case PASS -> ExitCode.OK;
            case FAIL -> ExitCode.FAILED;
            case INCONCLUSIVE, INTERRUPTED -> ExitCode.INCONCLUSIVE;
        };
    }

    /** Returns a line for each of the first trials that did not pass, and one that counts the others. */
    private static List<String> faults(String side, List<Sample> samples) {
        List<String> faults = samples.stream()
                .map(Sample::result)
                .filter(trial -> trial.outcome().verdict() != Verdict.PASS)
                .map(trial -> trial.outcome().verdict() + "  " + trial.plan().id() + " (" + side + "): "
                        + String.join("; ", trial.outcome().reasons()))
                .toList();
        if (faults.size() <= MOST_FAULTS) {
            return faults;
        }
        List<String> shown = new ArrayList<>(faults.subList(0, MOST_FAULTS));
        shown.add((faults.size() - MOST_FAULTS) + " more (" + side + ")");
        return shown;
    }

    /** Returns the remarks that other processes disturbed trials of a side. */
    static List<String> disturbed(String side, Collection<Sample> samples) {
        return Remarks.onOtherProcessesById(samples.stream().map(Sample::result).toList()).stream()
                .map(remark -> remark.replaceFirst("disturbed", "disturbed (" + side + ")"))
                .toList();
    }

    private static String name(Difference difference) {
        return difference.percentile() == 100 ? "max" : ResultTable.name(difference.percentile());
    }

    private static String noiseRemark(int repetitions) {
        return repetitions == 0
                ? "There are no repetitions, so the noise between two starts of a JVM is unknown. Measure with --trials 3 or"
                        + " more."
                : "Medians of the trials, and their least and greatest values; change: of the geometric means; noise: the change of these that may be due to chance"
                        + " (95 %), from " + Units.counted(repetitions, "repetition")
                        + " of the same and from the seconds within each trial; detectable: the change that is detected in 4 of 5"
                        + " such comparisons. ~ no difference that this data can show.";
    }

    /** Returns one sentence; none when nothing was excluded. */
    private static List<String> setAside(List<Difference> differences) {
        List<String> values = new ArrayList<>();
        for (Difference each : differences) {
            if (each.asideBefore() != null) {
                values.add(name(each) + " of one trial before, " + Units.time(Math.round(each.asideBefore())));
            }
            if (each.asideAfter() != null) {
                values.add(name(each) + " of one trial after, " + Units.time(Math.round(each.asideAfter())));
            }
        }
        return values.isEmpty() ? List.of() : List.of(String.join("; ", values));
    }

    private static String time(double nanos) {
        return Units.time(Math.round(nanos));
    }
}
