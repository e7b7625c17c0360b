package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.launch.FakeTrial;
import dev.baton.lab.results.ResultFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Matrices of trials that measure nothing, in real JVMs. */
@Tag("long")
class MatrixTest {
    @TempDir
    private Path temporary;

    private FakeLaboratory laboratory;

    @BeforeEach
    void furnish() {
        laboratory = new FakeLaboratory(FakeTrial.class);
    }

    @Test
    void collectorsAreRowsAndFirstIsRepeated() throws IOException {
        assertThat(chain("--transport", "plain", "--gc", "serial,parallel", "--trials", "2"))
                .isZero();
        assertThat(laboratory.out())
                .contains("chain, 2 trials each", "serial plain ", "parallel plain ", "serial plain (again)")
                .contains("1.00 us [1.00 us .. 1.00 us] *", "2 delivered", "Identical trials");
        assertThat(laboratory.err()).contains("matrix: 3 rows, 6 trials, about", "[6/6] ");
        assertThat(trials()).hasSize(6);
    }

    @Test
    void unstartableJvmIsSkippedWithReason() {
        assertThat(chain("--transport", "plain", "--jvm-flags", "-Da=b;-XX:NoSuchFlag=1", "--trials", "1"))
                .isZero();
        assertThat(laboratory.out())
                .contains("-XX:NoSuchFlag=1: skipped, Unrecognized VM option 'NoSuchFlag=1'")
                .contains("-Da=b plain", "1 delivered");
    }

    @Test
    void otherCommandIsNotResumed() throws IOException {
        assertThat(chain("--transport", "plain", "--trials", "2")).isZero();
        Path folder = trials().get(0).getParent();
        String before = Files.readString(folder.resolve("experiment.json"));
        for (List<String> other : List.of(List.of("--rate", "5"), List.of("--engine", "primitive:jctools-spsc"))) {
            laboratory = new FakeLaboratory(FakeTrial.class);
            List<String> typed = new ArrayList<>(List.of("--transport", "plain", "--trials", "2"));
            typed.addAll(List.of("--resume", folder.toString()));
            typed.addAll(other);
            assertThat(chain(typed.toArray(String[]::new))).isEqualTo(2);
            assertThat(laboratory.err())
                    .hasLineCount(1)
                    .endsWith("was measured with other options; --resume continues with the command as it was\n");
        }
        laboratory = new FakeLaboratory(FakeTrial.class);
        assertThat(chain("--transport", "plain", "--trials", "2", "--resume", folder.toString(), "--heap", "300m"))
                .isEqualTo(2);
        assertThat(laboratory.err()).contains("was measured with other options");
        assertThat(folder.resolve("experiment.json")).hasContent(before);
    }

    @Test
    void variantWithoutResultDoesNotEndMatrix() throws IOException {
        assertThat(matrix("""
                title: who lives?
                command: chain
                trials: 1
                options:
                  transport: plain
                  o: [do=pass, do=unreachable]
                """)).isZero();
        assertThat(laboratory.out())
                .contains("who lives? (baton chain, 1 trial each)", "o do=pass plain", "1 without result")
                .contains("o do=unreachable plain: plain: no broker at localhost:1 answered within 5 s");
    }

    @Test
    void aLostMessageFailsTheMatrix() throws IOException {
        assertThat(matrix("{command: chain, trials: 1, options: {transport: plain, o: [do=pass, do=lose]}}"))
                .isEqualTo(1);
        assertThat(laboratory.out()).contains("FAIL, 1 message lost");
    }

    @Test
    void aChainThatStoppedFailsTheMatrix() throws IOException {
        assertThat(matrix("{command: chain, trials: 1, options: {transport: plain, o: [do=pass, do=stop]}}"))
                .isEqualTo(1);
        assertThat(laboratory.out()).contains("FAIL, instance 1 stopped: no disk");
    }

    @Test
    void failedSoakFailsTheMatrix() throws IOException {
        assertThat(matrix("{command: soak, trials: 1, options: {transport: plain, o: [do=pass, do=hold-0]}}"))
                .isEqualTo(1);
        assertThat(matrix("{command: chain, trials: 1, options: {transport: plain, o: [do=pass, do=hold-0]}}"))
                .isZero();
    }

    @Test
    void rateThatNoTrialKeepsFailsMatrix() throws IOException {
        assertThat(matrix("{command: chain, trials: 2, options: {transport: plain, o: do=hold-0}}"))
                .isEqualTo(1);
    }

    @Test
    void limitThatNoTrialKeepsFailsMatrix() throws IOException {
        assertThat(chain("--transport", "plain", "-o", "do=hold-0", "--limit", "p50<1ms", "--trials", "2"))
                .isEqualTo(1);
        assertThat(
                        matrix(
                                "{command: chain, trials: 1, options: {transport: plain, limit: p50<1ms, o: [do=pass, do=hold-0]}}"))
                .isZero();
    }

    @Test
    void terminatedTrialLeavesTheMatrixUnfinished() throws IOException {
        assertThat(matrix("{command: chain, trials: 1, options: {transport: plain, o: [do=pass, do=terminated]}}"))
                .as(laboratory.err())
                .isEqualTo(130);
        assertThat(laboratory.err()).contains("interrupted; continue with the same command and --resume");
    }

    @Test
    void refusedTrialEndsMatrixAsUsageError() throws IOException {
        assertThat(matrix("{command: chain, trials: 1, options: {transport: plain, o: [do=pass, do=refuse]}}"))
                .as(laboratory.err())
                .isEqualTo(2);
        assertThat(laboratory.err())
                .contains("baton: plain: size=11 is not allowed; 1 to 10")
                .doesNotContain("interrupted");
    }

    @Test
    void spoiltMatrixIsInconclusive() throws IOException {
        assertThat(matrix("{command: chain, trials: 1, options: {transport: plain, o: do=disturbed}}"))
                .isEqualTo(4);
        assertThat(matrix("{command: chain, trials: 1, options: {transport: plain, o: [do=pass, do=disturbed]}}"))
                .isZero();
    }

    @Test
    void quickTakesTheFilesShortForm() throws IOException {
        String text = """
                command: chain
                trials: 5
                options:
                  transport: plain
                  services: [1, 2, 3]
                quick:
                  services: 7
                """;
        assertThat(matrix(text, "--quick")).isZero();
        assertThat(laboratory.out()).contains("quick: short trials, do not quote their figures", "1 trial each");
        assertThat(laboratory.err()).contains("matrix: 2 rows, 2 trials, about");
    }

    @Test
    void trialsOfAQuickMatrixAreProvisional() throws IOException {
        assertThat(matrix("{command: chain, options: {transport: plain}}", "--quick"))
                .isZero();
        assertThat(laboratory.out()).contains("provisional (--quick)");
        assertThat(trials()).isNotEmpty();
        for (Path trial : trials()) {
            assertThat(ResultFolder.readTrial(trial).plan().phases().isProvisional())
                    .isTrue();
        }
    }

    @Test
    void resumedMatrixKeepsEarlierTrials() throws IOException {
        String text = "{command: chain, trials: 2, options: {transport: plain, services: [1, 2]}}";
        assertThat(matrix(text)).isZero();
        Path folder = trials().get(0).getParent();
        Files.delete(trials().get(2));

        assertThat(matrix(text, "--resume", folder.toString())).isZero();
        assertThat(laboratory.err())
                .contains("matrix: 5 trials of an earlier run are kept, 1 to go", "01.1-services-1");
        assertThat(trials()).hasSize(6);

        assertThat(matrix(text.replace("[1, 2]", "[3, 2]"), "--resume", folder.toString()))
                .isEqualTo(2);
        assertThat(laboratory.err()).contains("other options; --resume continues with the command as it was");
        assertThat(matrix(text.replace("plain,", "plain, o: size=5,"), "--resume", folder.toString()))
                .as("of the transport")
                .isEqualTo(2);
    }

    /** They are in no plan, and a matrix has them in its file, not on its command line. */
    @ParameterizedTest
    @CsvSource({"heap: 300m, heap: 400m", "gc: serial, gc: parallel", "jvm-flags: -Da=1, jvm-flags: -Da=2"})
    void resumedMatrixHasTheSameJvmOptions(String before, String after) throws IOException {
        String text = "{command: chain, trials: 1, options: {transport: plain, OPTION}}";
        assertThat(matrix(text.replace("OPTION", before))).isZero();
        Path folder = trials().get(0).getParent();
        Files.delete(trials().get(1));

        assertThat(matrix(text.replace("OPTION", after), "--resume", folder.toString()))
                .as(laboratory.err())
                .isEqualTo(2);
        assertThat(laboratory.err()).contains("other options; --resume continues with the command as it was");
        assertThat(matrix(text.replace("OPTION", before), "--resume", folder.toString()))
                .as(laboratory.err())
                .isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    --gc cms                     | 2 | unknown collector 'cms'; known: serial, parallel, g1
                    --gc serial,cms              | 2 | unknown collector 'cms'
                    --jvm /nowhere               | 2 | --jvm /nowhere is not a JVM: there is no /nowhere that can be run
                    --heap 64m,1m                | 2 | --heap '1m' is not allowed
                    --jvm-flags -XX:NoSuchFlag=1 | 3 | the JVM does not start with these options: Unrecognized VM option 'NoSuchFlag=1'
                    --trials 0                   | 2 | --trials 0 is out of range; 1 to 100
                    --trials 2 --budget 10s      | 2 | this matrix has 2 rows, 4 trials, about 96 s, more than --budget 10s
                    --resume TEMPORARY/at/all    | 2 | /at/all contains no experiment
                    """)
    void invalidInputIsRefusedInOneLine(String arguments, int code, String line) {
        List<String> typed = new ArrayList<>(List.of("--transport", "plain"));
        typed.addAll(
                List.of(arguments.replace("TEMPORARY", temporary.toString()).split(" ")));
        assertThat(chain(typed.toArray(String[]::new))).isEqualTo(code);
        assertThat(laboratory.complaints()).hasSize(1);
        assertThat(laboratory.complaints().get(0)).startsWith("baton: ").contains(line);
        assertThat(laboratory.err()).as("all that is said").hasLineCount(1);
        assertThat(laboratory.out()).isEmpty();
        assertThat(temporary).isEmptyDirectory();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {command: steam}                         | unknown command 'steam'; known: chain
                    {command: chain, options: {colour: red}} | some.yaml, line 1: unknown option 'colour'; known:
                    {command: chain, options: {out: x}}      | some.yaml, line 1: unknown option 'out'; known:
                    {command: chain, options: {rate: fast}}  | 'fast' is not a number
                    {command: chain, options: {transport: plain, services: 0}} | --services 0 is out of range; 1 to 1000
                    """)
    void invalidExperimentIsRefusedInOneLine(String text, String line) throws IOException {
        assertThat(matrix(text)).isEqualTo(2);
        assertThat(laboratory.complaints()).hasSize(1);
        assertThat(laboratory.complaints().get(0)).contains(line);
    }

    @Test
    void theExperimentOfTheHelpTextIsUnderstood() throws IOException {
        FakeLaboratory real = FakeLaboratory.withRealTransports(FakeTrial.class);
        real.run("help", "matrix");
        String example = real.out()
                .lines()
                .dropWhile(line -> !line.startsWith("An experiment:"))
                .skip(1)
                .takeWhile(line -> !line.isBlank())
                .map(line -> line.substring(2))
                .collect(Collectors.joining("\n"));
        assertThat(example).contains("command: window");
        assertThat(real.run(
                        "matrix",
                        Files.writeString(temporary.resolve("some.yaml"), example)
                                .toString(),
                        "--budget=1s",
                        "--out=" + temporary.resolve("results")))
                .as(real.err())
                .isEqualTo(2);
        assertThat(real.complaints()).hasSize(1);
        assertThat(real.complaints().get(0)).contains("more than --budget 1s");
    }

    private int matrix(String text, String... more) throws IOException {
        Path file = Files.writeString(temporary.resolve("some.yaml"), text);
        List<String> arguments = new ArrayList<>(List.of("matrix", file.toString()));
        arguments.addAll(List.of(more));
        return run(arguments);
    }

    private int chain(String... typed) {
        List<String> arguments = new ArrayList<>(List.of("chain"));
        arguments.addAll(List.of(typed));
        return run(arguments);
    }

    private int run(List<String> arguments) {
        arguments.addAll(List.of("--out", temporary.resolve("results").toString()));
        arguments.addAll(List.of("--dir", temporary.resolve("data").toString()));
        return laboratory.run(arguments.toArray(String[]::new));
    }

    private List<Path> trials() throws IOException {
        try (Stream<Path> files = Files.walk(temporary.resolve("results"))) {
            return files.filter(file -> file.toString().endsWith(".trial.json"))
                    .sorted()
                    .toList();
        }
    }
}
