package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.launch.FakeTrial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reports that commands leave, and those made again. */
class ReportCommandTest {
    @TempDir
    private Path temporary;

    private FakeLaboratory laboratory;

    @BeforeEach
    void furnish() {
        laboratory = new FakeLaboratory(FakeTrial.class);
    }

    @Test
    void measuringCommandWritesAndNamesReport() throws IOException {
        measure();
        Path page = folder().resolve("report.html");
        assertThat(laboratory.out()).endsWith("report: " + page + "\n");
        assertThat(Files.readString(page)).startsWith("<!doctype html>").contains("\"name\":\"plain\"");
    }

    @Test
    void reportIsRecreatedFromMovedFiles() throws IOException {
        measure();
        Path moved = Files.move(folder(), temporary.resolve("moved"));
        Files.delete(moved.resolve("report.html"));
        assertThat(laboratory.run("report", moved.toString())).isZero();
        assertThat(laboratory.out()).contains("report: " + moved.resolve("report.html") + " (1 trial, ");
        assertThat(moved.resolve("report.html")).content().contains("\"href\":\"./plain.trial.json\"");
    }

    @Test
    void experimentsShareAPageWithLinks() throws IOException {
        measure();
        Path page = temporary.resolve("both.html");
        String folder = folder().toString();
        assertThat(laboratory.run("report", folder, folder, "--out", page.toString()))
                .isZero();
        assertThat(page)
                .content()
                .contains("2 experiments", "\"1: plain\"", "\"2: plain\"", "\"href\":\"./results/chain-");
    }

    @Test
    void aMatrixKeepsItsTitleAndItsAnswer() throws IOException {
        Path file = Files.writeString(temporary.resolve("which.yaml"), """
                title: which size?
                command: chain
                trials: 2
                options:
                  transport: plain
                  o: ["size=3"]
                  payload: ["0", "10"]
                """);
        assertThat(laboratory.run("matrix", file.toString(), "--out", results(), "--dir", data()))
                .isZero();
        assertThat(folder().resolve("headline.json")).content().contains("which size?");
        assertThat(folder().resolve("report.html"))
                .content()
                .contains("which size?", "\"matrix\":{\"headings\":[\"p50\"");
    }

    @Test
    void theGalleryListsAllExperimentsBelowAFolder() throws IOException {
        measure();
        Files.delete(folder().resolve("report.html"));
        assertThat(laboratory.run("report", "--gallery", results())).isZero();
        assertThat(temporary.resolve("results/index.html"))
                .content()
                .contains("\"transports\":[\"plain\"]", "/report.html\"");
        assertThat(folder().resolve("report.html")).exists();
    }

    @Test
    void unreadableFilesAreNamed() throws IOException {
        measure();
        Files.writeString(folder().resolve("plain.trial.json"), "{");
        assertThat(laboratory.run("report", folder().toString())).isEqualTo(2);
        assertThat(laboratory.complaints()).anyMatch(line -> line.contains("plain.trial.json"));
        assertThat(folder().resolve("report.html")).content().contains("There is no readable result of a trial");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    nowhere                | there is no folder nowhere; name one that an experiment left
                    EMPTY                  | contains no experiment; name a folder with an experiment.json
                    --gallery EMPTY        | there is no experiment below
                    --gallery EMPTY EMPTY  | --gallery takes one folder, not 2
                    EMPTY --out EMPTY      | is a folder; name a file in it, such as
                    EMPTY --out EMPTY/no/x | /no/x: there is no folder
                    --colour red EMPTY     | Unknown option: '--colour'
                    """)
    void badInputIsOneClearLine(String typed, String line) throws IOException {
        String empty = Files.createDirectories(temporary.resolve("empty")).toString();
        String[] arguments = ("report " + typed.replace("EMPTY", empty)).split(" ");
        assertThat(laboratory.run(arguments)).isEqualTo(2);
        assertThat(laboratory.complaints()).hasSize(1).allMatch(each -> each.contains(line));
        assertThat(temporary.resolve("empty")).isEmptyDirectory();
    }

    @Test
    void pageDoesNotReplaceADevice() throws IOException {
        measure();
        Path device = Files.createSymbolicLink(temporary.resolve("page.html"), Path.of("/dev/null"));
        assertThat(laboratory.run("report", folder().toString(), "--out", device.toString()))
                .isEqualTo(2);
        assertThat(laboratory.complaints()).hasSize(1).allMatch(each -> each.contains("is not a regular file"));
        assertThat(device).isSymbolicLink();
    }

    private void measure() {
        assertThat(laboratory.run("chain", "--transport", "plain", "--out", results(), "--dir", data()))
                .isZero();
    }

    private String results() {
        return temporary.resolve("results").toString();
    }

    private String data() {
        return temporary.resolve("data").toString();
    }

    private Path folder() throws IOException {
        try (Stream<Path> folders = Files.list(temporary.resolve("results"))) {
            List<Path> all = folders.filter(Files::isDirectory).toList();
            assertThat(all).hasSize(1);
            return all.get(0);
        }
    }
}
