package dev.baton.lab.study.reproduce;

import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.Environment;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Percentile;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The table of the study about JVMs. Stateless, thread-safe. */
final class WhichJvm {
    private static final String FILE = "transit-jvm.csv";
    private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)+");

    private WhichJvm() {}

    static List<String> figures(String source, List<Reproduced> reproduced, Paint paint, int width) {
        Rows rows = new Rows()
                .column("p50", trial -> nanos(trial.service(), 50))
                .column("p99.99", trial -> nanos(trial.service(), 99.99))
                .column("slot p50", trial -> nanos(trial.response(), 50))
                .column("slot p99.99", trial -> nanos(trial.response(), 99.99))
                .column("verdict", ResultTable::verdict);
        for (Reproduced step : reproduced) {
            step.trials().forEach(trial -> rows.add(step.step().label() + ", " + jvm(trial), trial));
        }
        PublishedFile.rows(FILE)
                .forEach(row -> rows.addPublished(row[0] + " " + row[1], row[2] + " ns", row[3] + " ns", "", "", ""));
        return rows.lines(source, paint, width);
    }

    /** As short as it is told apart from others. */
    static String jvm(TrialResult trial) {
        Environment.Jvm jvm = trial.environment().jvm();
        Matcher number = NUMBER.matcher(jvm.version());
        return jvm.vendor().replaceAll("[ ,].*", "") + " " + (number.find() ? number.group() : jvm.version());
    }

    static Cell nanos(Latency latency, double percentile) {
        Percentile entry = latency.find(percentile).orElse(null);
        return entry == null || entry.nanos() == null
                ? ResultTable.NONE
                : Cell.of(Units.count(entry.nanos()) + " ns", entry.hasFewSamples() ? Tone.GREY : Tone.PLAIN);
    }
}
