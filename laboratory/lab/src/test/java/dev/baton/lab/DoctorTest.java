package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.doctor.GradeLetter;
import dev.baton.lab.launch.FakeTrial;
import dev.baton.lab.results.Experiment;
import dev.baton.lab.results.ResultFolder;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.Interruption;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.terminal.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code baton doctor} on whatever machine this runs, and the grade that experiments keep. */
@Tag("slow")
class DoctorTest {
    @TempDir
    private Path temporary;

    private final FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);

    @Test
    void machineIsGradedAndNothingIsLeft() {
        assertThat(laboratory.run("doctor", "--quick", "--dir", temporary.toString()))
                .as(laboratory.err())
                .isZero();
        assertThat(laboratory.out().lines().findFirst().orElseThrow()).matches("machine grade [A-F]: .+");
        assertThat(laboratory.out().replaceAll("\\s+", " "))
                .contains(" fine: ", "machine: ", "from unpark to running p50 ", "append to Chronicle")
                .contains("JVMs (", System.getProperty("java.version"))
                .contains(temporary + " is on ");
        assertThat(laboratory.err()).isEmpty();
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void jsonContainsLettersFindingsAndFigures() throws IOException {
        assertThat(laboratory.run("doctor", "--quick", "--json", "--dir", temporary.toString()))
                .isZero();
        assertThat(laboratory.out().lines()).hasSize(1);
        JsonNode json = new ObjectMapper().readTree(laboratory.out());
        assertThat(json.get("schema").asInt()).isEqualTo(1);
        assertThat(json.get("letter").asText()).matches("[A-F]");
        assertThat(json.get("readings").get("stalls").get("sleeps").asLong()).isPositive();
        assertThat(json.get("readings")
                        .get("appends")
                        .get("mapped")
                        .get("p50Nanos")
                        .asLong())
                .isPositive();
        String worst = "A";
        for (JsonNode finding : json.get("findings")) {
            String letter = finding.get("letter").asText();
            worst = letter.length() == 1 && letter.compareTo(worst) > 0 ? letter : worst;
        }
        assertThat(json.get("letter").asText()).isEqualTo(worst);
        assertThat(json.get("jvms")).isNotEmpty();
    }

    @Test
    void helpStatesTheRule() {
        assertThat(laboratory.run("help", "doctor")).isZero();
        assertThat(laboratory.out()).contains("--dir", "--quick", "--json", "the grade is the worst of");
        for (GradeLetter each : GradeLetter.values()) {
            assertThat(laboratory.out()).contains("  " + each + "  " + each.meaning());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --dir /proc/nowhere | 3 | --dir /proc/nowhere does not exist; name an existing directory
                    --dir               | 2 | --dir has no value; write --dir=DIR: directory of queue files
                    --fast              | 2 | Unknown option: '--fast'
                    now                 | 2 | 'now' is not expected
                    """)
    void badInputIsOneClearLine(String arguments, int code, String line) {
        assertThat(laboratory.run(("doctor --quick " + arguments).split(" "))).isEqualTo(code);
        assertThat(laboratory.complaints()).hasSize(1);
        assertThat(laboratory.complaints().get(0)).startsWith("baton: ").contains(line);
        assertThat(laboratory.out()).isEmpty();
    }

    @Test
    void interruptedExaminationGradesAndLeavesNothing() {
        Interruption interruption = new Interruption();
        interruption.request();
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Console console =
                new Console(new PrintWriter(out), new PrintWriter(err), new Terminal(false, false, 100, false));
        Workbench bench = new Workbench(KnownTransports.of(List.of()), null, null, interruption);
        int code = Laboratory.commandLine(console, bench).execute("doctor", "--dir=" + temporary);
        assertThat(code).isEqualTo(130);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).isEqualTo("baton: interrupted; too little was measured for a grade\n");
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void experimentsStoreAndReportTheGrade() throws IOException {
        Path results = temporary.resolve("results");
        assertThat(laboratory.run("chain", "--transport=plain", "--out=" + results))
                .isZero();
        try (Stream<Path> folders = Files.list(results)) {
            Experiment experiment = new ResultFolder(folders.findFirst().orElseThrow()).readExperiment();
            assertThat(experiment.grade().letter()).matches("[A-F]");
            assertThat(laboratory.out().replaceAll("\\s+", " "))
                    .contains("machine grade " + experiment.grade().letter())
                    .contains("; the command doctor explains it files: ");
        }
    }
}
