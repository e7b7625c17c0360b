package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.results.Json;
import dev.baton.lab.study.chaos.ChaosResult;
import dev.baton.lab.study.chaos.InjectedFault;
import dev.baton.lab.trial.TrialRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole command: real processes over a real queue, killed and started again. */
@Timeout(300)
@Tag("long")
class ChaosTest {
    /** The window's test has the others. */
    private static final String KINDS = "kill-service,torn-frame,kill-receiver,rival-receiver,delete-topic";

    @TempDir
    private Path temporary;

    @Test
    void killedChainLosesAndRepeatsNothing() throws IOException {
        Set<Long> before = children();
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class);

        int code = laboratory.run(
                "chaos",
                "--transport=chronicle",
                "--kinds=" + KINDS,
                "--faults=5",
                "--seed=4",
                "--quick",
                "--out=" + temporary.resolve("results"),
                "--dir=" + temporary.resolve("data"));

        assertThat(code).as(() -> laboratory.out() + laboratory.err()).isZero();
        assertThat(laboratory.out())
                .contains("PASS: 5 faults, 0 lost, 0 duplicated, 0 reordered")
                .containsIgnoringWhitespaces("again: ./baton chaos --transport chronicle --seed 4 --quick --faults 5"
                        + " --kinds " + KINDS + " --rate 1000");
        Path file = file();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        ChaosResult.Run run = Json.read(file, ChaosResult.class).runs().get(0);
        assertThat(run.faults()).hasSize(5).allMatch(InjectedFault.Outcome::isSurvived);
        assertThat(run.failures()).isEmpty();
        assertThat(run.faults())
                .extracting(each -> each.fault().kind())
                .as("each kind once")
                .doesNotHaveDuplicates();
        assertThat(run.faults())
                .extracting(InjectedFault.Outcome::fault)
                .extracting(InjectedFault::number)
                .containsExactly(1, 2, 3, 4, 5);
        assertThat(run.accounts()).hasSize(1);
        assertThat(run.accounts().get(0).topics()).hasSize(6).allMatch(topic -> topic.isClean());
        assertThat(run.accounts().get(0).sent()).isGreaterThan(1_000);
        assertThat(temporary.resolve("data")).doesNotExist();
        assertThat(children()).isSubsetOf(before);
    }

    @Test
    void faultsOfNumberedMessagesNeedForwardingChain() {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class);

        assertThat(laboratory.run("chaos", "--chain=orders", "--transport=chronicle", "--kinds=delete-topic"))
                .isEqualTo(2);
        assertThat(laboratory.err())
                .startsWith(
                        "baton: --kinds delete-topic cannot happen over chronicle and --chain orders; there: kill-service")
                .hasLineCount(1);
    }

    @Test
    void unsupportedFaultsAreInconclusive() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class); // it has no broker

        int code = laboratory.run(
                "chaos",
                "--transport=kafka",
                "--faults=1",
                "--out=" + temporary.resolve("results"),
                "--dir=" + temporary.resolve("data"));

        assertThat(code).as(laboratory::err).isEqualTo(4);
        assertThat(laboratory.out())
                .contains("inconclusive: remote: no broker here", "INCONCLUSIVE: 0 faults, 0 lost")
                .doesNotContain("WRONG");
        assertThat(Json.read(file(), ChaosResult.class).isConclusive()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    chaos --transport disruptor                        | --transport 'disruptor' has no topics that survive a process of the chain; known: chronicle, aeron-archive, aeron-archive-udp, kafka, kafka3, kafka-hosts, aeron, filed
                    chaos --transport nosuch                           | --transport 'nosuch' has no topics that survive a process of the chain; known: chronicle,
                    chaos --transport chronicle -o dir=x               | -o chronicle.dir: chaos sets it for what it starts itself
                    chaos --transport filed -o nosuch=x                | -o nosuch: unknown option 'nosuch'; known:
                    chaos --kinds explode                              | --kinds 'explode' is not a kind of fault; known: kill-service,
                    chaos --transport aeron --kinds kill-archive       | --kinds kill-archive cannot happen over aeron; there: kill-service,
                    chaos --transport aeron --composed                 | --transport aeron goes without --chain, --composed and --state: its topics keep nothing
                    chaos --transport chronicle --kinds kill-broker    | cannot happen over chronicle; there: kill-service,
                    chaos --transport chronicle --kinds kill-merge     | cannot happen over chronicle; there: kill-service,
                    chaos --composed --kinds delete-topic              | cannot happen over chronicle with --composed; there: kill-service,
                    chaos --composed --chain orders                    | --composed is for the chain without --chain
                    chaos --state sum                                  | --state 'sum' is not a kind of service; known: none, sums, window
                    chaos --state window --chain orders                | --state is for the chain without --chain
                    chaos --state window --composed                    | --composed is for sums, and not for --state window
                    chaos --state window --kinds delete-topic          | cannot happen over chronicle with --state window; there: kill-service,
                    chaos --transport kafka --kinds flip-bit           | are not made over kafka: a broker acknowledges before it syncs and relies on its copies,
                    chaos --kinds kill-service,flip-bit                | they go with no other kind of fault
                    chaos --composed --kinds lose-power                | they go with no other kind of fault, and not with --chain, --composed or --state
                    chaos --checksums                                  | --checksums is for --kinds flip-bit, lose-power and fail-sync
                    chaos --faults 0                                   | --faults 0 is out of range; 1 to 1000000
                    chaos --faults 1.5                                 | --faults 1.5 is not a whole number
                    chaos --rate 20001                                 | --rate 20001 is out of range; 1 to 20000
                    chaos --seed -1                                    | --seed -1 is out of range
                    chaos --duration 10ms                              | --duration 10ms is out of range; 1s to 168h
                    """)
    void impossibleOptionsAreRefusedInOneLine(String line, String complaint) {
        FakeLaboratory laboratory = new FakeLaboratory(TrialRunner.class);

        assertThat(laboratory.run(line.split(" +"))).isEqualTo(2);
        assertThat(laboratory.err().lines())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("baton: ")
                .contains(complaint);
    }

    private Path file() throws IOException {
        try (Stream<Path> files = Files.walk(temporary.resolve("results"))) {
            return files.filter(file -> file.endsWith(ChaosResult.FILE))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Child processes of this one. */
    private static Set<Long> children() {
        return ProcessHandle.current().descendants().map(ProcessHandle::pid).collect(Collectors.toSet());
    }
}
