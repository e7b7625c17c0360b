package dev.baton.lab.study.reproduce;

import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.load.LoadFindings;
import dev.baton.measuring.data.Environment;
import dev.baton.measuring.data.Latency;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tables of studies that compare figures and conclude nothing more from them. Stateless, thread-safe. */
final class SimpleTables {
    private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)+");
    private static final double[] JITTER_PERCENTILES = {50, 90, 99, 99.9, 99.99, 99.999, 99.9999};
    private static final double[] MEMORY_PERCENTILES = {50, 75, 90, 95, 99};
    // in the rows of their files
    private static final int FIRST_JITTER_FIGURE = 2;
    private static final int FIRST_MEMORY_PERCENTILE = 5;

    private SimpleTables() {}

    /** Of the study about JVMs. */
    static Rows whichJvm(List<Reproduced> reproduced) {
        Rows rows = new Rows()
                .percentile("p50", TrialResult::service, 50)
                .percentile("p99.99", TrialResult::service, 99.99)
                .percentile("slot p50", TrialResult::response, 50)
                .percentile("slot p99.99", TrialResult::response, 99.99)
                .column("verdict", ResultTable::verdict)
                .ours(reproduced, (step, trial) -> step.label() + ", " + jvm(trial));
        PublishedFile.rows("transit-jvm.csv")
                .forEach(row -> rows.addPublished(
                        row[0] + " " + row[1],
                        Units.time(Long.parseLong(row[2])),
                        Units.time(Long.parseLong(row[3])),
                        "",
                        "",
                        ""));
        return rows;
    }

    /** As short as it is told apart from others. */
    private static String jvm(TrialResult trial) {
        Environment.Jvm jvm = trial.environment().jvm();
        Matcher number = NUMBER.matcher(jvm.version());
        return jvm.vendor().replaceAll("[ ,].*", "") + " " + (number.find() ? number.group() : jvm.version());
    }

    /** Of the study about safepoints. */
    static Rows jitter(List<Reproduced> reproduced) {
        Rows rows = new Rows()
                .column("mean", trial -> mean(trial.service()))
                .column("min", trial -> time(trial.service().minNanos()));
        for (double percentile : JITTER_PERCENTILES) {
            rows.percentile(ResultTable.name(percentile), TrialResult::service, percentile);
        }
        rows.column("max", trial -> time(trial.service().maxNanos()))
                .column("count", trial -> Cell.of(Units.count(trial.service().count())))
                .ours(reproduced, (step, trial) -> trial.plan().id());
        for (String[] row : PublishedFile.rows("jitter-jvm.csv")) {
            String[] cells = new String[JITTER_PERCENTILES.length + 4];
            for (int i = 0; i < cells.length; i++) {
                long value = Long.parseLong(row[FIRST_JITTER_FIGURE + i]);
                cells[i] = i == cells.length - 1 ? Units.count(value) : Units.time(value);
            }
            rows.addPublished(row[0] + ", " + row[1], cells);
        }
        return rows;
    }

    private static Cell mean(Latency latency) {
        return latency.meanNanos() == null ? ResultTable.NONE : Cell.of(Units.time(Math.round(latency.meanNanos())));
    }

    private static Cell time(Long nanos) {
        return nanos == null ? ResultTable.NONE : Cell.of(Units.time(nanos));
    }

    /** Of the study about small memories. */
    static Rows smallMemory(List<Reproduced> reproduced) {
        Rows rows = new Rows()
                .column(
                        "requests/s",
                        trial -> Cell.of(Units.count(Math.round(trial.rate().achievedPerSecond()))));
        for (double percentile : MEMORY_PERCENTILES) {
            rows.column(ResultTable.name(percentile), trial -> ofDistribution(trial, percentile));
        }
        rows.column("slowest", trial -> ResultTable.max(trial.service()))
                .ours(reproduced, (step, trial) -> step.label() + ", " + jvm(trial));
        for (String[] row : PublishedFile.rows("small-memory.csv")) {
            String[] cells = new String[MEMORY_PERCENTILES.length + 2];
            cells[0] = Units.count(Math.round(Double.parseDouble(row[2])));
            for (int i = 1; i < cells.length; i++) {
                cells[i] = row[FIRST_MEMORY_PERCENTILE + i - 1] + " ms";
            }
            rows.addPublished(row[0] + ", " + (row[1].equals("unlimited") ? row[1] : row[1] + " MB"), cells);
        }
        return rows;
    }

    private static Cell ofDistribution(TrialResult trial, double percentile) {
        return trial.findings() instanceof LoadFindings load
                ? load.distribution().stream()
                        .filter(each -> each.percentile() == percentile && each.nanos() != null)
                        .findFirst()
                        .map(each -> Cell.of(Units.time(each.nanos()), each.hasFewSamples() ? Tone.GREY : Tone.PLAIN))
                        .orElse(ResultTable.NONE)
                : ResultTable.NONE;
    }
}
