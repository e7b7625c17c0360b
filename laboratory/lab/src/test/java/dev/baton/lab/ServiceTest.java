package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.lab.results.ResultFolder;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.trial.Transports;
import dev.baton.lab.trial.TrialRunner;
import dev.baton.operations.Operations;
import dev.baton.run.Loops;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Services in processes of their own: real JVMs over a real queue. */
@Timeout(300)
@Tag("long")
class ServiceTest {
    private static final Pattern HEALTH = Pattern.compile("answers (http://127\\.0\\.0\\.1:\\d+/health)");

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    @TempDir
    private Path temporary;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void leaveNothingRunning() throws InterruptedException {
        for (Process each : started) {
            each.destroyForcibly().waitFor();
        }
    }

    @Test
    void serviceReportsHealthAndEndsOnSigterm() throws Exception {
        Process service = start("only-2", "--only=2", "--http=0");
        await().atMost(LONGEST_WAIT)
                .until(
                        () -> said("only-2")
                                .contains(
                                        "five s2 running: reads five-1 after message 0, writes five-2 after message 0, backlog 0"));

        HttpResponse<String> health = health("only-2");

        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(health.body())
                .contains("\"service\":\"five s2\"", "\"state\":\"running\"", "\"isHealthy\":true", "\"backlog\":0")
                .contains("\"input\":{\"topic\":\"five-1\"", "\"output\":{\"topic\":\"five-2\"");
        service.destroy();
        assertThat(service.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(service.exitValue()).isZero();
        assertThat(said("only-2")
                        .lines()
                        .map(line -> line.replaceFirst("^[-0-9]+ [:.0-9]+ ", ""))
                        .toList())
                .containsSubsequence(
                        "five s2 starting: over chronicle",
                        "five s2 stopping: drains in-flight messages for at most 5 s",
                        "five s2 stopped");
    }

    @Test
    void secondProcessStandsByUntilFirstEnds() throws Exception {
        Process first = start("first", "--only=1");
        await().atMost(LONGEST_WAIT).until(() -> said("first").contains("five s1 running"));
        start("second", "--only=1", "--http=0");
        await().atMost(LONGEST_WAIT)
                .until(() -> said("second")
                        .contains("five s1 standby: takes over when the other process has ended: topic five-1"));
        HttpResponse<String> health = health("second");
        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(health.body()).contains("\"state\":\"standby\"", "\"isHealthy\":true");

        first.destroyForcibly().waitFor();

        await().atMost(LONGEST_WAIT).until(() -> said("second").contains("five s1 running"));
    }

    @Test
    void aProcessThatStandsByEndsOnSigterm() throws Exception {
        start("first", "--only=1");
        await().atMost(LONGEST_WAIT).until(() -> said("first").contains("five s1 running"));
        Process second = start("second", "--only=1");
        await().atMost(LONGEST_WAIT).until(() -> said("second").contains("five s1 standby"));

        second.destroy();

        assertThat(second.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(second.exitValue()).isZero();
    }

    @Test
    void deletedInputEndsServiceByDefault() throws Exception {
        start("before", "--only=1");
        send(5);
        await().atMost(LONGEST_WAIT).until(() -> stored("five-1") == 5);
        end("before");
        try (Transport transport = open()) {
            transport.deleteTopics(List.of("five-0"));
        }
        send(3);

        Process refused = start("refused", "--only=1");

        assertThat(refused.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(refused.exitValue()).isEqualTo(2);
        assertThat(said("refused").lines().filter(line -> line.contains("five s1 failed")))
                .singleElement()
                .asString()
                .contains("topic 'five-1' answers inputs up to 5 of topic 'five-0'", "deleted and created again")
                .contains("--replaced-input handle-all");
        start("handles-all", "--only=1", "--replaced-input=handle-all");
        await().atMost(LONGEST_WAIT).until(() -> stored("five-1") == 8);
    }

    @Test
    void anotherChainOnTheSameTopicsIsRefused() throws Exception {
        start("before", "--only=1");
        await().atMost(LONGEST_WAIT).until(() -> said("before").contains("five s1 running"));
        end("before");

        Process refused = start("refused", "--only=1", "--services=4");

        assertThat(refused.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(refused.exitValue()).isEqualTo(2);
        assertThat(said("refused"))
                .contains("five s1 failed: topic 'five-1' was written by another chain: it was s1 > s2 > s3 > s4 > s5")
                .doesNotContain("waiting");
    }

    @Test
    void unsharablePartitionsEndTheMember() throws Exception {
        Process member = start("member", "--only=1", "--partitions=4", "--group-member=a");
        assertThat(member.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(member.exitValue()).isEqualTo(2);
        assertThat(said("member"))
                .contains("five s1 failed: transport chronicle cannot share partitions between processes");
    }

    @Test
    void tiedServiceEndsWithItsParent() throws Exception {
        Process service = start("tied", "--only=1", "--tied");
        await().atMost(LONGEST_WAIT).until(() -> said("tied").contains("five s1 running"));
        service.getOutputStream().close();
        assertThat(service.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(service.exitValue()).isZero();
    }

    @Test
    void chainsInSeparateProcessesAreAccountedTogether() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class);
        int code = laboratory.run(
                "chain",
                "--processes=per-chain",
                "--engine=reference",
                "--transport=chronicle",
                "--rate=500",
                "--instances=2",
                "--warmup=500ms",
                "--duration=1s",
                "--out=" + temporary.resolve("results"),
                "--dir=" + temporary.resolve("data"));

        assertThat(code).as(laboratory::err).isIn(0, 4); // 4: a busy machine disturbed it
        List<TrialResult> all = LeftResults.below(temporary.resolve("results"), "chronicle-reference");
        assertThat(all).hasSize(1);
        assertThat(all.get(0).delivery().delivered()).isEqualTo(1500);
        assertThat(all.get(0).instances()).hasSize(2);
        assertThat(LeftResults.below(temporary.resolve("results"))).hasSize(3);
        assertThat(temporary.resolve("data")).doesNotExist();
    }

    @Test
    void chainOfProcessesAccountsForEveryMessage() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class);
        int code = laboratory.run(
                "chain",
                "--processes=per-service",
                "--services=2",
                "--transport=chronicle",
                "--rate=500",
                "--instances=2",
                "--warmup=500ms",
                "--duration=1s",
                "--out=" + temporary.resolve("results"),
                "--dir=" + temporary.resolve("data"));

        assertThat(code).as(laboratory::err).isIn(0, 4); // 4: a busy machine disturbed it
        TrialResult result = onlyResult();
        assertThat(result.delivery().delivered()).isEqualTo(1500);
        assertThat(result.place().spread().pids()).hasSize(2).doesNotHaveDuplicates();
        assertThat(result.place().spread().pids())
                .noneMatch(pid -> ProcessHandle.of(pid).isPresent());
        assertThat(temporary.resolve("data")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    service --chain forwarding                             | Missing required option: '--only=SERVICE'
                    service --chain forwarding --only 6 --transport filing --dir x             | --only 6 is out of range; 1 to 5
                    service --chain forwarding --only 2,2 --transport filing -o dir=x         | --only names service 2 twice
                    service --chain forwarding --only 1 --transport plain                     | --transport plain cannot run a chain in several processes
                    service --chain forwarding --only 1 --transport filing                    | --dir is needed
                    service --chain forwarding --only 1 --transport remote                    | --bootstrap-servers is needed
                    service --chain forwarding --only 1 --transport remote --bootstrap-servers a:1 --dir x | --dir is for transports that keep files
                    service --chain forwarding --only 1 --transport plain,filing              | names several transports
                    service --chain forwarding --only 1 --transport filing --dir x --partitions 4  | --partitions needs --group-member
                    service --chain forwarding --only 1 --transport filing --dir x --group-member a | --group-member needs --partitions
                    service --chain forwarding --only 1 --transport filing --dir x --partitions 0 --group-member a | --partitions 0 is out of range
                    service --chain forwarding --only 1 --transport filing --dir x --partitions 4 --group-member a? | --group-member 'a?'
                    service --chain forwarding --only 1 --transport filing --dir x --keep-partitions | --keep-partitions needs --partitions
                    service --chain forwarding --only 1 --transport filing --dir x --partitions 4 --group-member a --session-timeout 1ms | --session-timeout 1ms is out of range
                    service --chain forwarding --only 1 --transport filing --dir x --replaced-input drop | --replaced-input 'drop' is not known; refuse or handle-all
                    service --chain forwarding --only 1 --transport filing --dir x --on-unreadable drop | --on-unreadable 'drop' is not known; stop, skip
                    service --chain forwarding --only 1 --transport filing --dir x --http 1.5 | --http 1.5 is not a whole number
                    service --chain forwarding --only 1 --transport filing --dir x --from soon | --from: 'soon' is no start position
                    service --chain forwarding --only 1 --transport filing --dir x --from 1 --instances 2 | --from is for one instance
                    service --chain forwarding --only 1 --transport filing --dir x --consumer a? | --consumer 'a?'
                    service --chain forwarding --only 1,3 --name again --transport filing --dir x --input five-0 | services s1, s3 are not in a row
                    service --chain forwarding --only 2 --transport filing --dir x --input forwarding-1 | is one of chain forwarding itself
                    service --chain forwarding --only 2 --transport filing --dir x --input a@1 | --input 'a@1'
                    service --chain forwarding --only 2 --transport filing --dir x --disk-warning 1s | --disk-warning 1s is out of range
                    chain --processes 3 --transport filing                 | --processes '3' is not known; per-service or per-chain
                    chain --processes per-service --transport plain        | --processes: plain cannot run a chain in several processes
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

    private Process start(String name, String... typed) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(Transports.named("chronicle").jvmFlags(Runtime.version().feature()));
        command.addAll(List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Operations.class.getName(),
                "service",
                "--chain=forwarding",
                "--name=five",
                "--transport=chronicle",
                "--dir=" + temporary.resolve("queues")));
        command.addAll(List.of(typed));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(temporary.resolve(name).toFile())
                .start();
        started.add(process);
        return process;
    }

    private HttpResponse<String> health(String name) throws IOException, InterruptedException {
        Matcher address = HEALTH.matcher(said(name));
        assertThat(address.find()).isTrue();
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(address.group(1))).build(), BodyHandlers.ofString());
    }

    /** Ends the process that was started last. */
    private void end(String name) throws InterruptedException, IOException {
        Process last = started.get(started.size() - 1);
        last.destroy();
        assertThat(last.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(said(name)).contains("five s1 stopped");
    }

    private Transport open() {
        return Transports.named("chronicle")
                .open(Map.of("dir", temporary.resolve("queues").toString()));
    }

    private void send(int messages) {
        Chain.Builder chain = Chain.named("five");
        IntStream.rangeClosed(1, 5).forEach(service -> chain.then("s" + service, () -> (in, out) -> out.forward(in)));
        try (Transport transport = open();
                Loops loops = Loops.cooperative(1);
                RunningChain inlet =
                        chain.build().on(transport).with(loops).only().start()) {
            for (int i = 0; i < messages; i++) {
                inlet.inlet().send(new byte[8]);
            }
            assertThat(inlet.close(Duration.ofSeconds(20))).isTrue();
        }
    }

    private long stored(String topic) {
        try (Transport transport = open();
                TopicInspector inspector = transport.inspect(topic)) {
            return inspector.newestSequence();
        }
    }

    private String said(String name) throws IOException {
        return Files.readString(temporary.resolve(name), StandardCharsets.UTF_8);
    }

    private TrialResult onlyResult() throws IOException {
        try (Stream<Path> files = Files.walk(temporary.resolve("results"))) {
            return ResultFolder.readTrial(files.filter(file -> file.toString().endsWith(".trial.json"))
                    .findFirst()
                    .orElseThrow());
        }
    }
}
