package dev.baton.lab.study.reproduce;

import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.results.Json;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.jitter.JitterTable;
import dev.baton.lab.study.load.LoadReport;
import dev.baton.lab.study.window.FoundItems;
import dev.baton.lab.study.window.WindowReport;
import dev.baton.lab.study.window.WindowStudy;
import dev.baton.measuring.data.TrialEnvironment;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tables of studies whose figures need no further arithmetic. Stateless, thread-safe. */
final class SimpleTables {
    static final String REMATCH = "rematch";
    static final String GREEN_THREADS = "green threads";

    private static final String WINDOWS = "window-gc.csv"; // and its columns
    private static final int SOURCE = 0;
    private static final int MACHINE = 1;
    private static final int WINDOW = 2;
    private static final int JDK = 3;
    private static final int COLLECTOR = 4;
    private static final int THREADS = 5;
    private static final int STATEMENT = 6;
    private static final int ITEMS = 7;
    private static final int TAIL = 8;

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

    /** Returns the shortest distinct text for a JVM. */
    private static String jvm(TrialResult trial) {
        TrialEnvironment.Jvm jvm = trial.environment().jvm();
        Matcher number = NUMBER.matcher(jvm.version());
        return jvm.vendor().replaceAll("[ ,].*", "") + " " + (number.find() ? number.group() : jvm.version());
    }

    static Rows jitter(List<Reproduced> reproduced) {
        Rows rows = new Rows();
        JitterTable.figures().forEach((name, figure) -> rows.column(name, trial -> figure.apply(trial.service())));
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

    /** Returns the table of a study about a sliding window: our trials, and the published statements. */
    static Rows windows(List<Reproduced> reproduced, String published) {
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
        for (String[] row : PublishedFile.rows(WINDOWS)) {
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

    /** Returns the results of a step that searched. */
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
