package dev.baton.lab.study.reproduce;

import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.results.Json;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.window.FoundItems;
import dev.baton.lab.study.window.WindowReport;
import dev.baton.lab.study.window.WindowStudy;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The table of the two studies about a sliding window. Stateless, thread-safe. */
final class Windows {
    static final String REMATCH = "rematch";
    static final String GREEN_THREADS = "green threads";

    private static final String FILE = "window-gc.csv";
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
                rows.addPublished(row[COLLECTOR] + ", JDK " + row[JDK] + ", " + row[MACHINE], items, "", "", "", tail);
                rows.note(
                        "- ",
                        row[COLLECTOR] + " (" + row[MACHINE] + ", window " + row[WINDOW] + " s, " + row[THREADS]
                                + " threads): " + row[STATEMENT] + ".");
            }
        }
        reproduced.stream()
                .filter(step -> step.experiment() != null)
                .forEach(step -> answers(step)
                        .forEach(answer -> rows.note("", step.step().label() + ": " + answer)));
        return rows;
    }

    /** What a step that searched has found. */
    private static List<String> answers(Reproduced step) {
        Path file = step.experiment().folder().resolve(FoundItems.FILE);
        if (!Files.isRegularFile(file)) {
            return List.of();
        }
        try {
            return Json.read(file, FoundItems.class).jobs().stream()
                    .map(FoundItems.Job::answer)
                    .toList();
        } catch (IOException unreadable) {
            return List.of(unreadable.getMessage());
        }
    }

    private static String name(TrialResult trial) {
        WindowStudy study = (WindowStudy) trial.plan().study();
        double events =
                trial.plan().load().ratePerSecond() * trial.plan().shape().instances();
        return WindowReport.jvm(trial) + ", " + Units.count(study.keys()) + " keys, " + millions(events) + " in/s";
    }

    private static String millions(double perSecond) {
        return String.format(Locale.ROOT, "%.3g M", perSecond / 1e6);
    }
}
