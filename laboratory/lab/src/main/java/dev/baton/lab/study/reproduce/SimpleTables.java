package dev.baton.lab.study.reproduce;

import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.jitter.JitterTable;
import dev.baton.lab.study.load.LoadReport;
import dev.baton.measuring.data.Environment;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Units;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tables of studies that compare figures and conclude nothing more from them. Stateless, thread-safe. */
final class SimpleTables {
    private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)+");
    private static final double[] MEMORY_PERCENTILES = {50, 75, 90, 95, 99};
    private static final int FIRST_MEMORY_PERCENTILE = 5; // in the rows of its file

    private SimpleTables() {}

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
                        row[0] + " " + row[1], Units.time(Long.parseLong(row[2])), Units.time(Long.parseLong(row[3]))));
        return rows;
    }

    /** As short as it is told apart from others. */
    private static String jvm(TrialResult trial) {
        Environment.Jvm jvm = trial.environment().jvm();
        Matcher number = NUMBER.matcher(jvm.version());
        return jvm.vendor().replaceAll("[ ,].*", "") + " " + (number.find() ? number.group() : jvm.version());
    }

    static Rows jitter(List<Reproduced> reproduced) {
        Rows rows = new Rows();
        JitterTable.figures(ResultTable::name)
                .forEach((name, figure) -> rows.column(name, trial -> figure.apply(trial.service())));
        rows.ours(reproduced, (step, trial) -> trial.plan().id());
        PublishedFile.rows(JitterTable.FILE)
                .forEach(row -> rows.addPublished(
                        row[0] + ", " + row[1], JitterTable.texts(row).toArray(String[]::new)));
        return rows;
    }

    static Rows smallMemory(List<Reproduced> reproduced) {
        Rows rows = new Rows()
                .column(
                        "requests/s",
                        trial -> Cell.of(Units.count(Math.round(trial.rate().achievedPerSecond()))));
        for (double percentile : MEMORY_PERCENTILES) {
            rows.column(ResultTable.name(percentile), trial -> LoadReport.share(trial, percentile));
        }
        rows.column("slowest", trial -> ResultTable.max(trial.service()))
                .ours(reproduced, (step, trial) -> step.label() + ", " + jvm(trial));
        for (String[] row : PublishedFile.rows("small-memory.csv")) {
            String[] cells = new String[MEMORY_PERCENTILES.length + 2];
            cells[0] = Units.count(Math.round(Double.parseDouble(row[2])));
            for (int i = 1; i < cells.length; i++) {
                cells[i] = row[FIRST_MEMORY_PERCENTILE + i - 1] + " ms";
            }
            rows.addPublished(row[0] + ", " + LoadReport.memory(row), cells);
        }
        return rows;
    }
}
