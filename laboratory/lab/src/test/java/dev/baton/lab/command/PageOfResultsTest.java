package dev.baton.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FixedResults;
import dev.baton.lab.results.ReadExperiment;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.line.Console;
import dev.baton.operations.terminal.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page beside the results. */
class PageOfResultsTest {
    @TempDir
    private Path temporary;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Console console =
            new Console(new PrintWriter(out), new PrintWriter(err), new Terminal(false, false, 100, false));

    @Test
    void unwritablePageIsAWarningWithRemedy() throws IOException {
        Files.writeString(
                Files.createDirectories(temporary.resolve("report.html")).resolve("taken"), "");
        PageOfResults.write(left(List.of(FixedResults.passed("disruptor", 1_000))), null, console);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString())
                .startsWith("baton: no report.html was written: ")
                .contains("the results are whole, 'baton report " + temporary + "' tries again");
    }

    @Test
    void aFolderWithoutTrialsGetsNoPage() {
        PageOfResults.write(left(List.of()), null, console);
        assertThat(out.toString() + err).isEmpty();
        assertThat(temporary).isEmptyDirectory();
    }

    private ReadExperiment left(List<TrialResult> trials) {
        return new ReadExperiment(temporary, null, trials, List.of());
    }
}
