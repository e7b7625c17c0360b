package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.results.Json;
import dev.baton.lab.study.chaos.ChaosResult;
import dev.baton.lab.study.chaos.Fault;
import dev.baton.lab.study.chaos.audit.Account;
import dev.baton.lab.study.chaos.storage.StorageFault;
import dev.baton.lab.trial.FiledProvider;
import dev.baton.lab.trial.TrialMain;
import dev.baton.spi.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
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
class ChaosTest {
    /** The window's test has the others. */
    private static final String KINDS = "kill-service,torn-frame,kill-receiver,rival-receiver,delete-topic";

    @TempDir
    private Path temporary;

    @Test
    @Tag("long")
    void killedChainLosesAndRepeatsNothing() throws IOException {
        Set<Long> before = children();
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialMain.class);

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
        assertThat(run.faults()).hasSize(5).allMatch(Fault.Outcome::isSurvived);
        assertThat(run.failures()).isEmpty();
        assertThat(run.faults())
                .extracting(each -> each.fault().kind())
                .as("each kind once")
                .doesNotHaveDuplicates();
        assertThat(run.faults())
                .extracting(Fault.Outcome::fault)
                .extracting(Fault::number)
                .containsExactly(1, 2, 3, 4, 5);
        assertThat(run.accounts()).hasSize(1);
        assertThat(run.accounts().get(0).topics()).hasSize(6).allMatch(topic -> topic.isClean());
        assertThat(run.accounts().get(0).sent()).isGreaterThan(1_000);
        assertThat(temporary.resolve("data")).doesNotExist();
        assertThat(children()).isSubsetOf(before);
    }

    @Test
    @Tag("long")
    void killedProcessesLoseNothingOverASharedDriver() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialMain.class);

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
    @Tag("long")
    void unknownDurableTransportsAreTested() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialMain.class);
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

        FakeLaboratory again = FakeLaboratory.withRealTransports(TrialMain.class);
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
    @Tag("long")
    void killedChainOfJarLosesAndRepeatsNothing() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialMain.class);

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
    @Tag("long")
    void killedBranchAndMergeLoseNothing() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialMain.class);

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
    @Tag("long")
    void killedWindowSendsSameResults() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialMain.class);

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
    @Tag("long")
    void eachFlippedBitIsAccountedFor() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialMain.class);

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
                .extracting(StorageFault::what)
                .allMatch(what -> what.matches("queues/.*, byte \\d+, bit [0-7]"));
        assertThat(result.hasPassed()).isEqualTo(code == 0);
        assertThat(temporary.resolve("data")).doesNotExist();
    }

    @Test
    void faultsOfNumberedMessagesNeedForwardingChain() {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialMain.class);

        assertThat(laboratory.run("chaos", "--chain=orders", "--transport=chronicle", "--kinds=delete-topic"))
                .isEqualTo(2);
        assertThat(laboratory.err())
                .startsWith(
                        "baton: --kinds delete-topic cannot happen over chronicle and --chain orders; there: kill-service")
                .hasLineCount(1);
    }

    @Test
    void unsupportedFaultsAreInconclusive() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialMain.class); // it has no broker

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

    @Test
    @Tag("long")
    void runWithoutFaultIsInconclusive() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialMain.class);

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

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    chaos --transport disruptor                        | --transport 'disruptor' has no topics that survive a process of the chain; known: chronicle, aeron-archive, aeron-archive-udp, kafka, kafka3, kafka-hosts, aeron, filed
                    chaos --transport nosuch                           | --transport 'nosuch' has no topics that survive a process of the chain; known: chronicle,
                    chaos --transport chronicle -o dir=x               | -o chronicle.dir: chaos sets it for what it starts itself
                    chaos --transport filed -o nosuch=x                | -o nosuch: unknown option 'nosuch'; known:
                    chaos --kinds explode                              | --kinds 'explode' is no kind of fault; known: kill-service,
                    chaos --transport aeron --kinds kill-archive       | --kinds kill-archive cannot happen over aeron; there: kill-service,
                    chaos --transport aeron --composed                 | --transport aeron goes without --chain, --composed and --state: its topics keep nothing
                    chaos --transport chronicle --kinds kill-broker    | cannot happen over chronicle; there: kill-service,
                    chaos --transport chronicle --kinds kill-merge     | cannot happen over chronicle; there: kill-service,
                    chaos --composed --kinds delete-topic              | cannot happen over chronicle with --composed; there: kill-service,
                    chaos --composed --chain orders                    | --composed is for the chain without --chain
                    chaos --state sum                                  | --state 'sum' is none of the services; known: none, sums, window
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
        FakeLaboratory laboratory = new FakeLaboratory(TrialMain.class);

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
