package dev.baton.lab.study.reproduce;

import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.load.LoadFindings;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.util.List;

/** The table of the study about small memories. Stateless, thread-safe. */
final class SmallMemory {
    private static final String FILE = "small-memory.csv";
    private static final double[] PERCENTILES = {50, 75, 90, 95, 99};
    private static final int FIRST_PERCENTILE = 5;

    private SmallMemory() {}

    private static Cell ofDistribution(TrialResult trial, double percentile) {
        return trial.findings() instanceof LoadFindings load
                ? load.distribution().stream()
                        .filter(each -> each.percentile() == percentile && each.nanos() != null)
                        .findFirst()
                        .map(each -> Cell.of(Units.time(each.nanos()), each.hasFewSamples() ? Tone.GREY : Tone.PLAIN))
                        .orElse(ResultTable.NONE)
                : ResultTable.NONE;
    }

    static List<String> figures(String source, List<Reproduced> reproduced, Paint paint, int width) {
        Rows rows = new Rows()
                .column(
                        "requests/s",
                        trial -> Cell.of(Units.count(Math.round(trial.rate().achievedPerSecond()))));
        for (double percentile : PERCENTILES) {
            rows.column(ResultTable.name(percentile), trial -> ofDistribution(trial, percentile));
        }
        rows.column("slowest", trial -> ResultTable.max(trial.service()));
        for (Reproduced step : reproduced) {
            step.trials().forEach(trial -> rows.add(step.step().label() + ", " + WhichJvm.jvm(trial), trial));
        }
        for (String[] row : PublishedFile.rows(FILE)) {
            String[] cells = new String[PERCENTILES.length + 2];
            cells[0] = Units.count(Math.round(Double.parseDouble(row[2])));
            for (int i = 1; i < cells.length; i++) {
                cells[i] = row[FIRST_PERCENTILE + i - 1] + " ms";
            }
            rows.addPublished(row[0] + ", " + (row[1].equals("unlimited") ? row[1] : row[1] + " MB"), cells);
        }
        return rows.lines(source, paint, width);
    }
}
