package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.launch.FakeTrial;
import dev.baton.lab.trial.SlowedTrial;
import dev.baton.lab.trial.TrialRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** {@code baton compare} over experiments that measured nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("long")
class CompareTest {
    @TempDir
    private static Path originals;

    private final Map<List<String>, Path> measured = new HashMap<>();

    @TempDir
    private Path temporary;

    @Test
    void experimentsAreComparedByCommonSeries() throws IOException {
        Path one = chain("one", "--transport", "plain,filing", "--trials", "2");
        Path other = chain("other", "--transport", "plain", "--idle", "spin", "--trials", "2");
        FakeLaboratory laboratory = compare(one.toString(), other.toString());
        assertThat(laboratory.out())
                .contains("plain: 4 trials before, 4 trials after", "1.00 us .. 1.00 us", "+0.0 %", "~")
                .contains("differs: idle: default before, spin after")
                .contains("measured only before, not compared: filing");
    }

    @Test
    void rowsWithOppositeFlagsAreComparedApart() throws IOException {
        String both = chain("both", "--transport", "plain", "--jvm-flags", "-XX:+UseTLAB;-XX:-UseTLAB", "--trials", "2")
                .toString();
        assertThat(compare(both, both).out())
                .contains("4 trials before, 4 trials after", "2 trials before, 2 trials after")
                .doesNotContain("6 trials");
    }

    @Test
    void trialsAreComparedByTheirFiles() throws IOException {
        Path folder = chain("one", "--transport", "plain,filing");
        FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);
        String plain = folder.resolve("plain.trial.json").toString();
        String filing = folder.resolve("filing.trial.json").toString();
        assertThat(laboratory.run("compare", plain, filing)).isZero();
        assertThat(laboratory.out())
                .contains(
                        "plain and filing: 1 trial before, 1 trial after",
                        "unknown     unknown  ?",
                        "There are no repetitions")
                .contains("differs: transport: plain before, filing after");
    }

    @Test
    void failedTrialsAreNamedAndDecideTheExitCode() throws IOException {
        Path one = chain("one", "--transport", "plain");
        Path lost = chain("lost", "--transport", "plain", "-o", "do=lose");
        FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);
        assertThat(laboratory.run("compare", one.toString(), lost.toString())).isEqualTo(1);
        assertThat(laboratory.out()).contains("FAIL  plain (after): 1 message lost");
    }

    @Test
    void sidesWithoutRecordedMessagesAreInconclusive() throws IOException {
        String idle = chain("idle", "--transport", "plain", "--rate", "0", "--idle", "spin")
                .toString();
        FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);
        assertThat(laboratory.run("compare", idle, idle)).isEqualTo(4);
        assertThat(laboratory.out())
                .contains("Nothing to compare: one side, or both, recorded no latency.")
                .doesNotContain("detectable");
    }

    @Test
    void differentQuestionsAreComparedOnlyOnRequest() throws IOException {
        Path one = chain("one", "--transport", "plain");
        Path other = chain("other", "--transport", "plain", "--rate", "5000");
        FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);
        assertThat(laboratory.run("compare", one.toString(), other.toString())).isEqualTo(2);
        assertThat(laboratory.complaints())
                .containsExactly("baton: plain are not comparable: rate per second: 1000.0 before, 5000.0 after;"
                        + " --anyway compares them all the same");
        assertThat(compare(one.toString(), other.toString(), "--anyway").out())
                .contains("not comparable: rate per second: 1000.0 before, 5000.0 after");
    }

    @Test
    void missingOrUnrelatedExperimentsAreRefused() throws IOException {
        Path one = chain("one", "--transport", "plain,filing");
        Path other = chain("other", "--transport", "plain", "--engine", "baton", "-o", "do=lose");
        Files.move(other.resolve("plain.trial.json"), other.resolve("x.trial.json"));
        FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);
        assertThat(laboratory.run(
                        "compare", one.toString(), temporary.resolve("none").toString()))
                .isEqualTo(2);
        assertThat(laboratory.run("compare", one.toString(), temporary.toString()))
                .isEqualTo(2);
        Files.writeString(other.resolve("y.trial.json"), "{");
        assertThat(laboratory.run("compare", one.toString(), other.toString())).isEqualTo(2);
        assertThat(laboratory.complaints()).hasSize(3);
        assertThat(laboratory.complaints().get(0)).contains("there is no ");
        assertThat(laboratory.complaints().get(1)).contains("contains no finished trial");
        assertThat(laboratory.complaints().get(2))
                .contains(
                        "contains no finished trial: ",
                        "plain.trial.json is missing",
                        "y.trial.json is not a trial of this");
    }

    @Test
    void alteredFileStopsComparisonUnlessForced() throws IOException {
        Path one = chain("one", "--transport", "plain,filing");
        Path other = chain("other", "--transport", "plain,filing");
        Path altered = other.resolve("plain.trial.json");
        Files.writeString(altered, Files.readString(altered).replace("\"nanos\" : 1000", "\"nanos\" : 900"));
        FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);
        assertThat(laboratory.run("compare", one.toString(), other.toString())).isEqualTo(2);
        assertThat(laboratory.run("gate", one.toString(), other.toString())).isEqualTo(2);
        assertThat(laboratory.run("compare", one.toString(), altered.toString(), "--anyway"))
                .isEqualTo(2);
        assertThat(laboratory.out()).isEmpty();
        assertThat(laboratory.complaints())
                .hasSize(3)
                .allMatch(line -> line.contains(altered + " was changed after it was written"));
        assertThat(laboratory.complaints().get(0)).endsWith("; --anyway compares the rest");

        FakeLaboratory asked = compare(one.toString(), other.toString(), "--anyway");
        assertThat(asked.out()).contains("filing: 1 trial before").doesNotContain("plain: ");
        assertThat(asked.err()).contains("compare: " + altered + " was changed after it was written");
    }

    @Test
    void trialFileIsCheckedByItsExperiment() throws IOException {
        Path one = chain("one", "--transport", "plain,filing");
        Path other = chain("other", "--transport", "plain,filing");
        Files.writeString(other.resolve("filing.trial.json"), "{"); // another one, which is not asked for
        assertThat(compare(
                                one.resolve("plain.trial.json").toString(),
                                other.resolve("plain.trial.json").toString())
                        .out())
                .contains("plain: 1 trial before, 1 trial after");

        Path alone = Files.createDirectory(temporary.resolve("alone"));
        Files.copy(one.resolve("plain.trial.json"), alone.resolve("plain.trial.json"));
        FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);
        assertThat(laboratory.run(
                        "compare",
                        one.resolve("plain.trial.json").toString(),
                        alone.resolve("plain.trial.json").toString()))
                .isEqualTo(2);
        assertThat(laboratory.complaints()).singleElement().asString().contains("plain.hlog is missing; --anyway");
    }

    @Test
    void aGateRunsTheBaselinesCommandAgain() throws IOException {
        Path baseline = chain("one", "--transport", "plain", "--trials", "3");
        FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);
        Path junit = temporary.resolve("gate.xml");
        assertThat(laboratory.run(
                        "gate",
                        baseline.toString(),
                        "--allow",
                        "p50<+10%",
                        "--trials",
                        "2",
                        "--junit",
                        junit.toString(),
                        "--out",
                        temporary.resolve("again").toString()))
                .as(laboratory.err())
                .isZero();
        assertThat(laboratory.out())
                .contains("PASS  plain p50<+10%: 1.00 us before, 1.00 us after, +0.0 %, noise 0.0 %", "gate: pass")
                .contains("detects growth from +0.0 %");
        assertThat(laboratory.err()).contains("matrix: 2 rows, 4 trials");
        assertThat(junit)
                .content()
                .contains("<testsuite name=\"baton gate\" tests=\"1\" failures=\"0\" skipped=\"0\"")
                .contains("<testcase classname=\"plain\" name=\"p50&lt;+10%\">");
    }

    @Test
    void lossesAndMissingTransportsFailTheGate() throws IOException {
        Path baseline = chain("one", "--transport", "plain,filing", "--trials", "3");
        FakeLaboratory worse = new FakeLaboratory(FakeTrial.Worse.class);
        Path junit = temporary.resolve("gate.xml");
        assertThat(worse.run(
                        "gate",
                        baseline.toString(),
                        "--allow=p50<+10%",
                        "--trials=2",
                        "--junit=" + junit,
                        "--out=" + temporary.resolve("again")))
                .as(worse.err())
                .isEqualTo(1);
        assertThat(worse.out())
                .contains("WORSE  plain messages: 4 lost in 4 of 4 trials; before there was none", "gate: worse")
                .contains("INCONCLUSIVE  filing trials: 3 before, 0 after, where 2 should be")
                .contains("WORSE  the command run again: it failed");
        assertThat(junit)
                .content()
                .contains("tests=\"4\" failures=\"2\" skipped=\"1\"")
                .contains("<testcase classname=\"filing\" name=\"trials\"><skipped");
    }

    @Test
    void missingTransportIsInconclusive() throws IOException {
        Path one = chain("one", "--transport", "plain,filing", "--trials", "2");
        Path other = chain("other", "--transport", "plain", "--trials", "2");
        FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);
        assertThat(laboratory.run("gate", one.toString(), other.toString(), "--allow=p50<+10%"))
                .as(laboratory.err())
                .isEqualTo(4);
        assertThat(laboratory.out()).contains("PASS  plain p50", "INCONCLUSIVE  filing trials: 2 before, 0 after");
        assertThat(laboratory.run("gate", other.toString(), one.toString(), "--allow=p50<+10%"))
                .as(laboratory.err())
                .isZero();
        assertThat(laboratory.out()).contains("not compared: filing (only in ");
    }

    /**
     * On a machine that other processes disturb, or whose own trials of one build differ twofold, a gate rightly cannot tell: it is asked
     * once more, and in the end the test is skipped. It must never pass, and where trials agree it has to be worse.
     */
    @Test
    void slowerBuildFailsAndSameBuildPasses() throws IOException {
        for (int attempt = 1; attempt <= 2; attempt++) {
            Path built = temporary.resolve("built-" + attempt);
            Path slowed = temporary.resolve("slowed-" + attempt);
            String baseline = realChain(built).toString();
            FakeLaboratory same = new FakeLaboratory(FakeTrial.class);
            assertThat(same.run("gate", baseline, baseline, "--allow=p50<+10%"))
                    .as(same.out())
                    .isIn(0, 4); // 4: these trials differ by more than it is asked for
            assertThat(same.out()).containsPattern("(?s)(PASS|INCONCLUSIVE)  disruptor p50<\\+10%:.*\\+0.0 %");
            FakeLaboratory slow = FakeLaboratory.withRealTransports(SlowedTrial.class);
            int code = slow.run("gate", baseline, "--allow=p50<+10%", "--trials=2", "--out=" + slowed);
            boolean isTooBusy =
                    spread(built) > 2 || spread(slowed) > 2 || slow.out().contains("other processes disturbed");
            if (code != 4 || !isTooBusy) {
                assertThat(code).as(slow.out() + slow.err()).isEqualTo(1);
                assertThat(slow.out()).contains("WORSE  disruptor p50<+10%:", "gate: worse");
                return;
            }
        }
        Assumptions.abort("this machine is too busy to tell: other processes, or trials that differ more than twofold");
    }

    /** The largest p50 over the smallest. */
    private static double spread(Path results) throws IOException {
        LongSummaryStatistics medians = LeftResults.below(results).stream()
                .mapToLong(each -> each.response().at(50).nanos())
                .summaryStatistics();
        return medians.getMax() / (double) medians.getMin();
    }

    private Path realChain(Path results) throws IOException {
        FakeLaboratory real = FakeLaboratory.withRealTransports(TrialRunner.class);
        int code = real.run(
                "chain",
                "--transport=disruptor",
                "--services=2",
                "--rate=500",
                "--warmup=200ms",
                "--duration=600ms",
                "--trials=2", // the first row of a matrix is measured twice: four in all
                "--dir=" + temporary.resolve("data"),
                "--out=" + results);
        assertThat(code).as(real.err()).isIn(0, 4); // 4: a busy machine disturbed every trial
        return onlyFolder(results);
    }

    @Test
    void aGateOverTooLittleIsInconclusive() throws IOException {
        Path one = chain("one", "--transport", "plain");
        Path other = chain("other", "--transport", "plain");
        FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);
        assertThat(laboratory.run("gate", one.toString(), other.toString())).isEqualTo(4);
        assertThat(laboratory.out().replaceAll("\\s+", " "))
                .contains("nothing was repeated, so the noise is not known", "gate: inconclusive");
    }

    @Test
    void invalidGateIsRefusedInOneLine() throws IOException {
        Path one = chain("one", "--transport", "plain");
        Path other = chain("other", "--transport", "plain", "--rate", "5000");
        FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);
        assertThat(laboratory.run("gate", one.toString(), other.toString())).isEqualTo(2);
        assertThat(laboratory.run("gate", one.toString(), "--allow", "p50")).isEqualTo(2);
        assertThat(laboratory.run("gate", one.toString(), "--trials", "1")).isEqualTo(2);
        assertThat(laboratory.run("gate", one.toString(), one.toString(), "--trials", "9"))
                .as("nothing is run")
                .isEqualTo(2);
        assertThat(laboratory.complaints()).hasSize(4);
        assertThat(laboratory.complaints().get(0))
                .contains("plain is not comparable with its baseline: rate per second");
        assertThat(laboratory.complaints().get(1)).contains("--allow 'p50' cannot be read; write pNN<+N%");
        assertThat(laboratory.complaints().get(2)).contains("--trials 1 is out of range; 2 to 100");
        assertThat(laboratory.complaints().get(3)).contains("--trials 9 is for an experiment that is run");
    }

    @Test
    void unwritableJunitFileIsRefusedBeforeMeasuring() throws IOException {
        Path one = chain("one", "--transport", "plain");
        Path xml = temporary.resolve("nowhere").resolve("gate.xml");
        FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);
        String out = temporary.resolve("again").toString();
        assertThat(laboratory.run("gate", one.toString(), "--junit", xml.toString(), "--out", out))
                .isEqualTo(2);
        assertThat(laboratory.complaints())
                .containsExactly("baton: --junit " + xml + ": there is no folder " + xml.getParent()
                        + "; make it, or name another file");
        assertThat(temporary.resolve("again")).doesNotExist();
    }

    private FakeLaboratory compare(String... arguments) {
        FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);
        List<String> all = new ArrayList<>(List.of("compare"));
        all.addAll(List.of(arguments));
        assertThat(laboratory.run(all.toArray(String[]::new)))
                .as(laboratory.err())
                .isZero();
        return laboratory;
    }

    /** A copy of what a command left: each runs once for all tests, as nothing of its result is measured. */
    private Path chain(String name, String... arguments) throws IOException {
        Path original = measured.get(List.of(arguments));
        if (original == null) {
            Path results = originals.resolve(Integer.toString(measured.size()));
            List<String> all = new ArrayList<>(List.of("chain", "--out", results.toString()));
            all.addAll(List.of(arguments));
            new FakeLaboratory(FakeTrial.class).run(all.toArray(String[]::new));
            original = onlyFolder(results);
            measured.put(List.of(arguments), original);
        }
        Path copy = Files.createDirectories(temporary.resolve(name)).resolve(original.getFileName());
        try (Stream<Path> left = Files.walk(original)) {
            for (Path each : left.toList()) {
                Files.copy(each, copy.resolve(original.relativize(each)));
            }
        }
        return copy;
    }

    private static Path onlyFolder(Path results) throws IOException {
        try (Stream<Path> folders = Files.list(results)) {
            return folders.findFirst().orElseThrow();
        }
    }
}
