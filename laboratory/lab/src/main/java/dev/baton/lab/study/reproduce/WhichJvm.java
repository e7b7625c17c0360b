package dev.baton.lab.study.reproduce;

import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.Environment;
import dev.baton.operations.terminal.Paint;
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
                .percentile("p50", TrialResult::service, 50)
                .percentile("p99.99", TrialResult::service, 99.99)
                .percentile("slot p50", TrialResult::response, 50)
                .percentile("slot p99.99", TrialResult::response, 99.99)
                .column("verdict", ResultTable::verdict);
        for (Reproduced step : reproduced) {
            step.trials().forEach(trial -> rows.add(step.step().label() + ", " + jvm(trial), trial));
        }
        PublishedFile.rows(FILE)
                .forEach(row -> rows.addPublished(
                        row[0] + " " + row[1],
                        Units.time(Long.parseLong(row[2])),
                        Units.time(Long.parseLong(row[3])),
                        "",
                        "",
                        ""));
        return rows.lines(source, paint, width);
    }

    /** As short as it is told apart from others. */
    static String jvm(TrialResult trial) {
        Environment.Jvm jvm = trial.environment().jvm();
        Matcher number = NUMBER.matcher(jvm.version());
        return jvm.vendor().replaceAll("[ ,].*", "") + " " + (number.find() ? number.group() : jvm.version());
    }
}
