package dev.baton.lab.study.comparison;

import dev.baton.lab.matrix.Spread;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.util.List;
import java.util.Locale;

/** Two series of trials against each other, for a person. Stateless, thread-safe. */
public final class ComparisonReport {
    private ComparisonReport() {}

    public static List<String> lines(
            String name,
            Statistics statistics,
            List<Sample> before,
            List<Sample> after,
            SetUpDifferences circumstances,
            Terminal terminal) {
        Table table = Table.bold("before", "after", "change", "noise", "");
        for (Difference each : statistics.differences(before, after)) {
            Tone tone = each.hasFewSamples() ? Tone.GREY : Tone.PLAIN;
            table.row(
                    each.percentile() == 100 ? "max" : ResultTable.name(each.percentile()),
                    List.of(
                            Cell.of(text(each.before()), tone),
                            Cell.of(text(each.after()), tone),
                            Cell.of(share(each.change(), "+"), tone),
                            Cell.of(Double.isInfinite(each.margin()) ? "unknown" : share(each.margin(), "")),
                            Cell.of(each.word().text, each.word().tone)));
        }
        return new TextReport(terminal)
                .line(terminal.paint().apply(Tone.BOLD, name) + ": " + Units.counted(before.size(), "trial")
                        + " before, " + Units.counted(after.size(), "trial") + " after")
                .gap()
                .table(table)
                .gap()
                .text(noiseRemark(statistics.freedom()))
                .texts("different questions: ", circumstances.forbidding())
                .texts("differs: ", circumstances.others())
                .gap()
                .lines();
    }

    private static String noiseRemark(int freedom) {
        return freedom == 0
                ? "Nothing was repeated, so how much two starts of a JVM differ is not known, and no difference can be"
                        + " told from it. Measure with --trials 3 or more."
                : "Medians [whole ranges] of the trials; noise: by how much a change of the means may be due to chance"
                        + " (95 %), from " + Units.counted(freedom, "repetition")
                        + " of the same and from the seconds within each trial. ~ no difference that this data can"
                        + " show.";
    }

    private static String text(Spread spread) {
        return spread.text(nanos -> Units.time(Math.round(nanos)));
    }

    /** A share of the first value; from twice as much on a factor. */
    private static String share(double share, String sign) {
        return share >= 1
                ? String.format(Locale.ROOT, share < 99 ? "x %.1f" : "x %.0f", 1 + share)
                : String.format(Locale.ROOT, "%" + sign + ".1f %%", 100 * share);
    }
}
