package dev.baton.lab.study.comparison;

import dev.baton.lab.matrix.Spread;
import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The comparison of two series of trials, for a person. Stateless, thread-safe. */
public final class ComparisonReport {
    private ComparisonReport() {}

    public static List<String> lines(
            String name, List<Sample> before, List<Sample> after, SetUpDifferences circumstances, Terminal terminal) {
        Statistics statistics = new Statistics(before, after);
        List<Difference> differences = statistics.differences();
        Table table = Table.bold("before", "after", "change", "noise", "would see", "");
        for (Difference each : differences) {
            Tone tone = each.hasFewSamples() ? Tone.GREY : Tone.PLAIN;
            boolean isKnown = !Double.isInfinite(each.margin());
            table.row(
                    name(each),
                    List.of(
                            Cell.of(text(each.before()), tone),
                            Cell.of(text(each.after()), tone),
                            Cell.of(Difference.text(each.change(), "+"), tone),
                            Cell.of(isKnown ? Difference.text(each.margin(), "") : "unknown"),
                            Cell.of(isKnown ? Difference.text(each.seen(), "+") : "nothing"),
                            Cell.of(each.word().text, each.word().tone)));
        }
        return new TextReport(terminal)
                .line(terminal.paint().apply(Tone.BOLD, name) + ": " + Units.counted(before.size(), "trial")
                        + " before, " + Units.counted(after.size(), "trial") + " after")
                .gap()
                .table(table)
                .gap()
                .text(noiseRemark(statistics.repetitions()))
                .texts("set aside as outliers: ", setAside(differences))
                .texts("different questions: ", circumstances.forbidding())
                .texts("differs: ", circumstances.others())
                .texts(disturbed("before", before))
                .texts(disturbed("after", after))
                .gap()
                .lines();
    }

    /** Returns the remarks that other processes disturbed trials of a side. */
    static List<String> disturbed(String side, Collection<Sample> samples) {
        return Remarks.onOtherProcesses(
                samples.stream().map(Sample::result).toList(),
                trial -> trial.plan().id() + " (" + side + ")");
    }

    private static String name(Difference difference) {
        return difference.percentile() == 100 ? "max" : ResultTable.name(difference.percentile());
    }

    private static String noiseRemark(int repetitions) {
        return repetitions == 0
                ? "There are no repetitions, so the noise between two starts of a JVM is unknown. Measure with --trials 3 or"
                        + " more."
                : "Medians [whole ranges] of the trials; noise: the change of the means that may be due to chance"
                        + " (95 %), from " + Units.counted(repetitions, "repetition")
                        + " of the same and from the seconds within each trial; would see: the change that is detected in 4 of 5"
                        + " such comparisons. ~ no difference that this data can show.";
    }

    /** One sentence; none when nothing was set aside. */
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

    private static String text(Spread spread) {
        return spread.text(nanos -> Units.time(Math.round(nanos)));
    }
}
