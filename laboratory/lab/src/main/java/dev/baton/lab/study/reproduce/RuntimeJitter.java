package dev.baton.lab.study.reproduce;

import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.Latency;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Units;
import java.util.List;

/** The table of the study about safepoints. Stateless, thread-safe. */
final class RuntimeJitter {
    private static final String FILE = "jitter-jvm.csv";
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99, 99.999, 99.9999};
    private static final int FIRST_FIGURE = 2;

    private RuntimeJitter() {}

    static List<String> figures(String source, List<Reproduced> reproduced, Paint paint, int width) {
        Rows rows = new Rows()
                .column("mean", trial -> mean(trial.service()))
                .column("min", trial -> time(trial.service().minNanos()));
        for (double percentile : PERCENTILES) {
            rows.percentile(ResultTable.name(percentile), TrialResult::service, percentile);
        }
        rows.column("max", trial -> time(trial.service().maxNanos()))
                .column("count", trial -> Cell.of(Units.count(trial.service().count())));
        for (Reproduced step : reproduced) {
            step.trials().forEach(trial -> rows.add(trial.plan().id(), trial));
        }
        for (String[] row : PublishedFile.rows(FILE)) {
            String[] cells = new String[PERCENTILES.length + 4];
            for (int i = 0; i < cells.length; i++) {
                long value = Long.parseLong(row[FIRST_FIGURE + i]);
                cells[i] = i == cells.length - 1 ? Units.count(value) : Units.time(value);
            }
            rows.addPublished(row[0] + ", " + row[1], cells);
        }
        return rows.lines(source, paint, width);
    }

    private static Cell mean(Latency latency) {
        return latency.meanNanos() == null ? ResultTable.NONE : Cell.of(Units.time(Math.round(latency.meanNanos())));
    }

    private static Cell time(Long nanos) {
        return nanos == null ? ResultTable.NONE : Cell.of(Units.time(nanos));
    }
}
