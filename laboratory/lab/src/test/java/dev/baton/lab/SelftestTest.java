package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.request.SelftestCase;
import dev.baton.lab.results.Experiment;
import dev.baton.lab.results.ResultFolder;
import dev.baton.lab.trial.TrialRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code baton selftest} with real child JVMs, and what may be typed. */
@Tag("long")
class SelftestTest {
    private static final Class<?> CHILD = TrialRunner.class;

    @TempDir
    private Path temporary;

    private final FakeLaboratory laboratory = new FakeLaboratory(CHILD);

    /** What is lost and which JVMs ran depends on no machine, however busy. */
    @Test
    void casesRunInChildrenAndStoreIdentity() throws IOException {
        int code = laboratory.run("selftest", "--only", "losses,fresh-jvm", "--out", temporary.toString());

        assertThat(laboratory.complaints()).isEmpty();
        assertThat(laboratory.out())
                .containsPattern("losses +each 50th of 1,150 +lost: 23 +23 +PASS")
                .containsPattern("several transports in one JVM +all trials +processes: 3 +3 +PASS")
                .contains("2 PASS of 2 cases", "self-test " + SelftestCase.identity(), "files: ");
        assertThat(code).isZero();
        try (Stream<Path> folders = Files.list(temporary)) {
            Experiment experiment = new ResultFolder(folders.findFirst().orElseThrow()).readExperiment();
            assertThat(experiment.selftest()).isEqualTo(SelftestCase.identity());
            assertThat(experiment.trials())
                    .extracting(Experiment.Entry::id)
                    .containsExactly("faults", "build-1", "slower-1");
        }
    }

    /** A disturbed machine may leave them open; it never makes them fail. */
    @Test
    void inFlightAndWithheldAreNoFailures() {
        int code = laboratory.run("selftest", "--only", "undrained,theft,neighbours,host-stall", "--all");

        assertThat(code).as(laboratory.out()).isIn(0, 4); // 4: a busy machine left a check open
        assertThat(laboratory.out())
                .contains(
                        "messages in flight at the end reported as lost",
                        "stolen CPU time adds up",
                        "a host stall breaks a limit")
                .doesNotContain("FAIL  ");
    }

    /** A system without faults passes; one that loses a message of each instance does not, on any machine. */
    @ParameterizedTest
    @CsvSource({"none, losses +each 50th message +lost: 40 +40 +PASS", "lose, lost without faults: 0 +1 +(FAIL|INC)"})
    void systemsAreTestedWithPlantedFaults(String fault, String line) {
        FakeLaboratory systems = FakeLaboratory.withRealTransports(CHILD);

        int code = systems.run(
                "selftest",
                "--engine=system:faulty",
                "--system-option=fault=" + fault,
                "--only=losses,duplicates,reorderings,corruption");

        assertThat(systems.out()).containsPattern(line);
        assertThat(code == 0).isEqualTo(fault.equals("none"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --engine baton                       | --engine 'baton' is not known; system:NAME
            --engine system:nosuch               | unknown system 'nosuch'; known: faulty
            --engine system:faulty --only bursts | --only bursts: only these cases are for systems: readings,
            --system-option a=b                  | --system-option needs a system; add --engine system:NAME
            """)
    void badSystemsAreOneClearLine(String typed, String line) {
        FakeLaboratory systems = FakeLaboratory.withRealTransports(CHILD);

        assertThat(systems.run(("selftest " + typed).split(" "))).isEqualTo(2);
        assertThat(systems.complaints()).singleElement().asString().contains(line);
    }

    @Test
    void aCaseWithoutATrialNeedsNoChild() {
        assertThat(laboratory.run("selftest", "--only", "truncated-poll", "--all"))
                .isZero();
        assertThat(laboratory.out()).contains("PASS  truncated poll timeouts", "at 8000 msg/s");
        assertThat(laboratory.err()).isEmpty();
    }

    @Test
    void listContainsEveryCase() {
        assertThat(laboratory.run("selftest", "--list")).isZero();
        assertThat(laboratory.out().lines().map(line -> line.split(" ")[0]))
                .containsAll(Arrays.stream(SelftestCase.values())
                        .map(SelftestCase::typed)
                        .toList());
    }

    @Test
    void selftestTransportIsPrivate() {
        assertThat(FakeLaboratory.withRealTransports(CHILD).run("chain", "--transport", "selftest"))
                .isEqualTo(2);
    }

    @Test
    void theIdentityIsAVersionAndAHash() {
        assertThat(SelftestCase.identity()).matches("\\d+-[0-9a-f]{8}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --only nosuch             | 2 | --only 'nosuch' is not a case; known: omission, generator-stall,
            --only losses,            | 2 | --only '' is not a case; known: omission
            --only losses --out /proc | 3 | --out /proc cannot be written to
            surplus                   | 2 | 'surplus' is not expected
            """)
    void badInputIsOneClearLine(String typed, int code, String line) {
        assertThat(laboratory.run(("selftest " + typed).split(" "))).isEqualTo(code);
        assertThat(laboratory.complaints()).hasSize(1);
        assertThat(laboratory.complaints().get(0)).startsWith("baton: ").contains(line);
        assertThat(laboratory.out()).isEmpty();
    }
}
