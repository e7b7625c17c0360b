package dev.baton.lab.command;

import dev.baton.lab.page.Report;
import dev.baton.lab.results.Headline;
import dev.baton.lab.results.Json;
import dev.baton.operations.line.CommandLines;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The {@code report.html} that an experiment leaves beside its results. Stateless, thread-safe. */
public final class PageOfResults {
    private PageOfResults() {}

    /**
     * Writes it and says where it is. Without it nothing is lost: that it could not be written is a warning.
     *
     * @param headline what was asked and answered, where the results alone do not tell; else null
     */
    public static void write(Path folder, Headline headline, Console console) {
        try {
            if (!hasTrials(folder)) {
                return;
            }
            if (headline != null) {
                Json.write(folder.resolve(Headline.FILE), headline);
            }
            Path page = folder.resolve(Report.FILE);
            Report.write(List.of(folder), page, Version.ofBaton())
                    .complaints()
                    .forEach(complaint -> console.complain("baton: " + CommandLines.oneLine(complaint)));
            console.print(List.of("report: " + page));
        } catch (IOException | RuntimeException failed) {
            console.complain(
                    "baton: no report.html was written: " + CommandLines.oneLine(String.valueOf(failed.getMessage()))
                            + "; the results are whole, 'baton report " + folder + "' tries again");
        }
    }

    private static boolean hasTrials(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.anyMatch(file -> file.toString().endsWith(".trial.json"));
        }
    }
}
