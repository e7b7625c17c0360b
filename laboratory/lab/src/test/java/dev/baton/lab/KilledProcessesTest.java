package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.results.Json;
import dev.baton.lab.study.chaos.ChaosResult;
import dev.baton.lab.study.chaos.audit.Account;
import dev.baton.lab.study.chaos.storage.StorageFaultOutcome;
import dev.baton.lab.trial.FiledProvider;
import dev.baton.lab.trial.TrialRunner;
import dev.baton.spi.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Chains of each kind whose processes are killed and whose files are damaged. */
@Tag("long")
@Timeout(300)
class KilledProcessesTest {
    @TempDir
    private Path temporary;

    @Test
    void killedProcessesLoseNothingOverASharedDriver() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class);

        int code = laboratory.run(
                "chaos",
                "--transport=aeron",
                "--kinds=kill-service,kill-receiver,kill-sender",
                "--faults=3",
                "--seed=4",
                "--quick",
                "--out=" + temporary.resolve("results"),
                "--dir=" + temporary.resolve("data"));

        assertThat(code).as(() -> laboratory.out() + laboratory.err()).isZero();
        assertThat(laboratory.out()).contains("PASS: 3 faults, 0 lost, 0 duplicated, 0 reordered");
        assertThat(laboratory.err()).contains("sent, compared with the receiver's journal: clean");
        Account account =
                Json.read(file(), ChaosResult.class).runs().get(0).accounts().get(0);
        assertThat(account.sent()).isGreaterThan(1_000).isEqualTo(account.received());
        assertThat(temporary.resolve("data")).doesNotExist();
    }

    @Test
    void unknownDurableTransportsAreTested() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class);
        Path place = temporary.resolve("place");

        int code = laboratory.run(
                "chaos",
                "--transport=" + FiledProvider.NAME,
                "-o",
                "place=" + place,
                "--kinds=kill-service,kill-receiver",
                "--faults=2",
                "--seed=4",
                "--quick",
                "--out=" + temporary.resolve("results"),
                "--dir=" + temporary.resolve("data"));

        assertThat(code).as(() -> laboratory.out() + laboratory.err()).isZero();
        assertThat(laboratory.out())
                .contains("PASS: 2 faults, 0 lost, 0 duplicated, 0 reordered")
                .containsIgnoringWhitespaces(
                        "again: ./baton chaos --transport filed -o filed.place=" + place + " --seed 4");
        ChaosResult.Run run = Json.read(file(), ChaosResult.class).runs().get(0);
        assertThat(run.setUp().name()).isEqualTo(FiledProvider.NAME);
        assertThat(run.accounts().get(0).sent()).isGreaterThan(100);
        try (Transport transport = new FiledProvider().open(Map.of("place", place.toString()))) {
            assertThat(transport.topics())
                    .as("topics left on a server that is not ours")
                    .isEmpty();
            transport.createTopics(List.of("chaos-0"));
        }

        FakeLaboratory again = FakeLaboratory.withRealTransports(TrialRunner.class);
        assertThat(again.run(
                        "chaos",
                        "--transport=" + FiledProvider.NAME,
                        "-o",
                        "place=" + place,
                        "--faults=1",
                        "--quick",
                        "--out=" + temporary.resolve("again"),
                        "--dir=" + temporary.resolve("data")))
                .isEqualTo(4);
        assertThat(again.out()).contains("the server of --transport filed has topics chaos-0 already; delete them");
    }

    @Test
    void killedChainOfJarLosesAndRepeatsNothing() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class);

        int code = laboratory.run(
                "chaos",
                "--chain=orders",
                "--chain-option=rejected=20",
                "--transport=chronicle",
                "--kinds=kill-service,kill-receiver",
                "--faults=2",
                "--seed=4",
                "--quick",
                "--out=" + temporary.resolve("results"),
                "--dir=" + temporary.resolve("data"));

        assertThat(code).as(laboratory::err).isZero();
        assertThat(laboratory.out())
                .contains("PASS: 2 faults, 0 lost, 0 duplicated, 0 reordered", "note: chain orders (")
                .containsIgnoringWhitespaces("--chain orders --chain-option rejected=20 --seed 4");
    }

    @Test
    void killedBranchAndMergeLoseNothing() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class);

        int code = laboratory.run(
                "chaos",
                "--composed",
                "--transport=chronicle",
                "--kinds=kill-branch,kill-merge",
                "--faults=2",
                "--seed=4",
                "--quick",
                "--out=" + temporary.resolve("results"),
                "--dir=" + temporary.resolve("data"));

        assertThat(code).as(() -> laboratory.out() + laboratory.err()).isZero();
        assertThat(laboratory.out())
                .contains("PASS: 2 faults, 0 lost, 0 duplicated, 0 reordered", "chaos-5 -> trail-merged")
                .containsIgnoringWhitespaces("again: ./baton chaos --transport chronicle --seed 4 --quick --composed");
        ChaosResult.Run run = Json.read(file(), ChaosResult.class).runs().get(0);
        assertThat(run.accounts()).hasSize(1);
        assertThat(run.accounts().get(0).edges())
                .extracting(Object::toString)
                .containsExactly("chaos-1 -> rejects-1", "chaos-5 -> trail-merged", "rejects-1 -> trail-merged");
        assertThat(run.accounts().get(0).edges())
                .allMatch(edge -> edge.lost(true) == 0
                        && edge.topic().isClean()
                        && edge.topic().frames() > 100);
    }

    @Test
    void killedWindowSendsSameResults() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class);

        int code = laboratory.run(
                "chaos",
                "--state=window",
                "--transport=chronicle",
                "--kinds=kill-holding,restart-holding,kill-pair,rolling-update,torn-frame,kill-receiver",
                "--faults=6",
                "--seed=4",
                "--quick",
                "--out=" + temporary.resolve("results"),
                "--dir=" + temporary.resolve("data"));

        assertThat(code).as(() -> laboratory.out() + laboratory.err()).isZero();
        assertThat(laboratory.out())
                .contains("PASS: 6 faults, 0 lost, 0 duplicated, 0 reordered", "chaos-3 -> chaos-5")
                .containsIgnoringWhitespaces(
                        "again: ./baton chaos --transport chronicle --seed 4 --quick --state window");
        Account account =
                Json.read(file(), ChaosResult.class).runs().get(0).accounts().get(0);
        assertThat(account.topics()).hasSize(4).allMatch(topic -> topic.isClean());
        assertThat(account.edges())
                .extracting(Object::toString)
                .containsExactly("chaos-3 -> chaos-4", "chaos-3 -> chaos-5");
        assertThat(account.edges())
                .allMatch(edge -> edge.lost(true) == 0
                        && edge.topic().isClean()
                        && edge.topic().frames() > 1_000);
    }

    /** Flips in data files are detected by checksums; those in small files of Chronicle topics may not be yet. */
    @Test
    void eachFlippedBitIsAccountedFor() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class);

        int code = laboratory.run(
                "chaos",
                "--transport=chronicle",
                "--kinds=flip-bit",
                "--checksums",
                "--faults=12",
                "--seed=1",
                "--out=" + temporary.resolve("results"),
                "--dir=" + temporary.resolve("data"));

        assertThat(code)
                .as(() -> laboratory.out() + laboratory.err())
                .isIn(0, 1); // 1: checksums do not cover the small files of a topic
        ChaosResult result = Json.read(file(), ChaosResult.class);
        assertThat(result.isConclusive()).isTrue();
        assertThat(result.runs().get(0).storage())
                .hasSize(12)
                .extracting(StorageFaultOutcome::what)
                .allMatch(what -> what.matches("queues/.*, byte \\d+, bit [0-7]"));
        assertThat(result.hasPassed()).isEqualTo(code == 0);
        assertThat(temporary.resolve("data")).doesNotExist();
    }

    @Test
    void runWithoutFaultIsInconclusive() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class);

        int code = laboratory.run(
                "chaos",
                "--chain=accounts", // of few processes
                "--transport=chronicle",
                "--kinds=kill-service",
                "--faults=1",
                "--duration=1s", // its JVMs take longer to start
                "--out=" + temporary.resolve("results"),
                "--dir=" + temporary.resolve("data"));

        assertThat(code).as(laboratory::err).isEqualTo(4);
        assertThat(laboratory.out())
                .contains("inconclusive: no fault was injected", "INCONCLUSIVE: 0 faults, 0 lost")
                .doesNotContain("WRONG");
    }

    private Path file() throws IOException {
        try (Stream<Path> files = Files.walk(temporary.resolve("results"))) {
            return files.filter(file -> file.endsWith(ChaosResult.FILE))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
