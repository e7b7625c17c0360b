package dev.baton.lab.study.reproduce;

import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.window.WindowStudy;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Units;
import java.util.List;
import java.util.Locale;

/** The table of the two studies about a sliding window. Stateless, thread-safe. */
final class Windows {
    static final String REMATCH = "rematch";
    static final String GREEN_THREADS = "green threads";

    private static final String FILE = "window-gc.csv";
    private static final String YOUNG = "-XX:MaxNewSize=";
    private static final int SOURCE = 0;
    private static final int MACHINE = 1;
    private static final int WINDOW = 2;
    private static final int JDK = 3;
    private static final int COLLECTOR = 4;
    private static final int THREADS = 5;
    private static final int STATEMENT = 6;
    private static final int ITEMS = 7;
    private static final int TAIL = 8;

    private Windows() {}

    /** Our trials and the published statements of one of the two. */
    static Rows figures(List<Reproduced> reproduced, String published) {
        Rows rows = new Rows()
                .column("items/s", trial -> Cell.of(millions(trial.rate().achievedPerSecond())))
                .percentile("p50", TrialResult::response, 50)
                .percentile("p99", TrialResult::response, 99)
                .percentile("p99.9", TrialResult::response, 99.9)
                .percentile("p99.99", TrialResult::response, 99.99)
                .column("max", trial -> ResultTable.max(trial.response()))
                .column("steps", trial -> Cell.of(Units.count(trial.response().count())))
                .column("verdict", ResultTable::verdict)
                .ours(reproduced, (step, trial) -> name(trial));
        for (String[] row : PublishedFile.rows(FILE)) {
            if (row[SOURCE].equals(published)) {
                String items = row[ITEMS].isEmpty() ? "" : millions(Double.parseDouble(row[ITEMS]));
                String tail = row[TAIL].isEmpty() ? "" : row[TAIL] + " ms";
                rows.addPublished(
                        row[COLLECTOR] + ", JDK " + row[JDK] + ", " + row[MACHINE],
                        items,
                        "",
                        "",
                        "",
                        tail,
                        "",
                        "",
                        "");
                rows.note(
                        "- ",
                        row[COLLECTOR] + " (" + row[MACHINE] + ", window " + row[WINDOW] + " s, " + row[THREADS]
                                + " threads): " + row[STATEMENT] + ".");
            }
        }
        return rows;
    }

    private static String name(TrialResult trial) {
        WindowStudy study = (WindowStudy) trial.plan().study();
        double events =
                trial.plan().load().ratePerSecond() * trial.plan().shape().instances();
        String young = trial.environment().jvm().flags().stream()
                .filter(flag -> flag.startsWith(YOUNG))
                .map(flag -> " young " + flag.substring(YOUNG.length()))
                .findFirst()
                .orElse("");
        return collector(trial) + young + ", " + Units.count(study.keys()) + " keys, " + millions(events) + " in/s";
    }

    private static String collector(TrialResult trial) {
        String first =
                trial.environment().jvm().collectors().stream().findFirst().orElse("unknown");
        return first.startsWith("PS ")
                ? "Parallel"
                : first.equals("Copy") || first.equals("MarkSweepCompact") ? "Serial" : first.replaceAll(" .*", "");
    }

    private static String millions(double perSecond) {
        return String.format(Locale.ROOT, "%.3g M", perSecond / 1e6);
    }
}
