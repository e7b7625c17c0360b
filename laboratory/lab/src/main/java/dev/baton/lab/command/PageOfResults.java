package dev.baton.lab.command;

import dev.baton.lab.page.Report;
import dev.baton.lab.results.Headline;
import dev.baton.lab.results.Json;
import dev.baton.lab.results.ReadExperiment;
import dev.baton.operations.line.CommandLines;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.Version;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The {@code report.html} that an experiment leaves beside its results. Stateless, thread-safe. */
public final class PageOfResults {
    private PageOfResults() {}

    /**
     * Writes it and says where it is, unless there is no result. Without it nothing is lost: that it could not be written
     * is a warning.
     *
     * @param experiment as its trials left it; its files are not read again
     * @param headline what was asked and answered, where the results alone do not tell; else null
     */
    public static void write(ReadExperiment experiment, Headline headline, Console console) {
        if (experiment.trials().isEmpty()) {
            return;
        }
        Path folder = experiment.folder();
        try {
            if (headline != null) {
                Json.write(folder.resolve(Headline.FILE), headline);
            }
            Path page = folder.resolve(Report.FILE);
            Report.of(List.of(experiment), page, Version.ofBaton())
                    .complaints()
                    .forEach(complaint -> console.complain("baton: " + CommandLines.oneLine(complaint)));
            console.print(List.of("report: " + page));
        } catch (IOException | RuntimeException failed) {
            console.complain(
                    "baton: no report.html was written: " + CommandLines.oneLine(String.valueOf(failed.getMessage()))
                            + "; the results are whole, 'baton report " + folder + "' tries again");
        }
    }
}
