package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.launch.FakeTrial;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.schema.Schemas;
import dev.baton.lab.study.load.LoadFindings;
import dev.baton.lab.study.load.LoadStudy;
import dev.baton.lab.trial.TrialRunner;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code baton load} from what is typed to what is printed. */
@Tag("long")
class LoadTest {
    private static final Class<?> REAL = TrialRunner.class;

    @TempDir
    private Path temporary;

    @Test
    void fiftyRequestsAreAlwaysInFlight() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(REAL);
        int code = run(laboratory, "--transport", "disruptor,chronicle", "--warmup", "300ms", "--duration", "700ms");
        assertThat(code).as(laboratory.err()).isIn(0, 4); // 4: a busy machine disturbed it

        assertThat(laboratory.out())
                .contains("50 requests in flight through 5 services and back", "service time, closed loop")
                .contains("p10 ", "p25 ", "p95 ", "p99 ", "peak RSS", "major faults", "1st answer", "#####")
                .doesNotContain("published elsewhere"); // which is a service over HTTP
        for (TrialResult result : results()) {
            LoadFindings findings = (LoadFindings) result.findings();
            assertThat(result.delivery().isFaultless()).isTrue();
            assertThat(result.delivery().sent())
                    .as("the first 50, and those that followed answers")
                    .isGreaterThan(50);
            assertThat(findings.firstAnswerNanos()).isBetween(50_000_000L, 60_000_000_000L);
            assertThat(findings.bars().stream()
                            .mapToLong(LoadFindings.Bar::count)
                            .sum())
                    .isEqualTo(result.response().count());
            double seconds = result.span().measureNanos() / 1e9;
            assertThat(result.rate().achievedPerSecond() * seconds)
                    .isCloseTo(result.response().count(), org.assertj.core.data.Offset.offset(1.0));
            assertThat(findings.series().stream()
                            .mapToLong(LoadFindings.Interval::answers)
                            .sum())
                    .isLessThanOrEqualTo(result.delivery().delivered())
                    .isPositive();
        }
        assertThat(temporary.resolve("data")).doesNotExist();
        Schemas.requireValid(temporary);
    }

    @Test
    void httpRequestsComeBackUnchanged() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(REAL);
        int code = run(
                laboratory,
                "--http",
                "--transport=disruptor",
                "--concurrency=8",
                "--warmup=300ms",
                "--duration=700ms",
                "--limit=p50<5s");
        assertThat(code).as(laboratory.err()).isIn(0, 4); // 4: a busy machine disturbed it
        assertThat(laboratory.out())
                .contains(
                        "8 requests in flight over HTTP through 5 services",
                        "used ",
                        "published elsewhere: other hardware, other method; not ranked");
        TrialResult result = results().get(0);
        assertThat(result.delivery().sent())
                .isEqualTo(result.delivery().delivered())
                .isPositive();
        assertThat(((LoadStudy) result.plan().study()).way()).isEqualTo(LoadStudy.Way.GATEWAY);
        assertThat(((LoadFindings) result.findings()).clients())
                .contains("a process of their own: memory and CPU are the server's", "used ");
        assertThat(result.response().count()).isPositive();
        Schemas.requireValid(temporary);
    }

    @Test
    void memoryLimitAppliesToServerOnly() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(REAL);
        int code = run(
                laboratory,
                "--http",
                "--method=GET",
                "--transport=disruptor",
                "--memory=128m",
                "--memory-by=flags",
                "--warmup=300ms",
                "--duration=700ms");
        assertThat(code).as(laboratory.err()).isIn(0, 4); // 4: a busy machine disturbed it
        assertThat(laboratory.out()).contains("50 requests in flight over HTTP (GET) through 5 services");
        TrialResult result = results().get(0);
        assertThat(result.delivery().isFaultless()).isTrue();
        assertThat(result.environment().jvm().flags()).anyMatch(flag -> flag.startsWith("-XX:MaxMetaspaceSize="));
        assertThat(((LoadFindings) result.findings()).clients()).contains("a process of their own");
    }

    @Test
    void longBodiesComeBackUnchanged() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(REAL);
        int code = run(
                laboratory,
                "--http",
                "--clients=server",
                "--payload=20k",
                "-o=disruptor.max-payload=32768",
                "--transport=disruptor",
                "--concurrency=8",
                "--warmup=300ms",
                "--duration=700ms");
        assertThat(code).as(laboratory.err()).isIn(0, 4); // 4: a busy machine disturbed it
        TrialResult result = results().get(0);
        assertThat(result.delivery().corrupted()).isZero();
        assertThat(result.delivery().delivered()).isPositive();
    }

    @Test
    void theClientsMayShareTheServersProcess() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(REAL);
        int code = run(
                laboratory,
                "--http",
                "--clients=server",
                "--method=GET",
                "--transport=disruptor",
                "--warmup=300ms",
                "--duration=700ms");
        assertThat(code).as(laboratory.err()).isIn(0, 4); // 4: a busy machine disturbed it
        TrialResult result = results().get(0);
        assertThat(result.delivery().isFaultless()).isTrue();
        assertThat(result.delivery().delivered()).isPositive();
        assertThat(((LoadFindings) result.findings()).clients()).contains("the JVM that runs the server, too");
    }

    @Test
    void runsIn128Megabytes() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(REAL);
        int code = run(
                laboratory,
                "--transport=disruptor",
                "--memory=128m",
                "--memory-by=flags",
                "--warmup=200ms",
                "--duration=500ms");
        assertThat(code).as(laboratory.err()).isIn(0, 4); // 4: a busy machine disturbed it
        assertThat(laboratory.out().replaceAll("\\s+", " "))
                .contains("memory: 128 MiB in all = heap ", "limit each of its parts");
        assertThat(results().get(0).environment().jvm().maxHeapBytes()).isLessThan(64L << 20);
        Schemas.requireValid(temporary);
    }

    @Test
    void smallestMemoryIsFoundToEightMegabytes() {
        FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);
        int code =
                run(laboratory, "--transport=plain", "-o", "do=need-100m", "--memory=64m..128m", "--memory-by=flags");
        assertThat(code).as(laboratory.err()).isZero();
        assertThat(laboratory.out())
                .contains("plain    96 MiB: out of memory", "plain   120 MiB: PASS", "plain   104 MiB: PASS")
                .contains("smallest memory of plain that meets p99<10ms: 104 MiB")
                .contains("service time, closed loop");
        assertThat(laboratory.complaints()).isEmpty();
    }

    @Test
    void insufficientLargestMemoryFails() {
        FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);
        int code = run(laboratory, "--transport=plain", "-o", "do=need-100m", "--memory=64m..80m", "--memory-by=flags");
        assertThat(code).isEqualTo(1);
        assertThat(laboratory.out()).contains("no smallest memory was found up to 80 MiB");
    }

    @Test
    void tooSmallMemoryIsReported() {
        FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);
        int code = run(laboratory, "--transport=plain", "-o", "do=need-100m", "--memory=64m", "--memory-by=flags");
        assertThat(code).isEqualTo(1);
        assertThat(laboratory.complaints()).hasSize(1);
        assertThat(laboratory.complaints().get(0)).contains("OutOfMemoryError", "give it more with --memory");
    }

    @Test
    void closedPortIsEnvironmentError() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(REAL);
        assertThat(run(laboratory, "--url", "http://127.0.0.1:" + port + "/")).isEqualTo(3);
        assertThat(laboratory.complaints()).hasSize(1);
        assertThat(laboratory.complaints().get(0)).contains("was refused", "is a server listening there?");
    }

    @Test
    void quickRunIsMarkedProvisional() {
        FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);
        assertThat(run(laboratory, "--transport", "plain", "--quick")).isZero();
        assertThat(laboratory.out()).startsWith("provisional (--quick)");
        assertThat(laboratory.err()).contains("warming up for");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --concurrency 0              | 2 | --concurrency 0 is out of range; 1 to 100000
                    --concurrency 1.5            | 2 | --concurrency 1.5 is not a whole number
                    --memory 32m                 | 2 | --memory 32m is out of range; 64m to 1024g bytes
                    --memory much                | 2 | --memory 'much' is not allowed; a size such as 128m
                    --memory 1g..64m             | 2 | --memory 1g..64m: write the smaller size first
                    --memory 128m --heap 64m     | 2 | --heap is a part of --memory
                    --memory 128m --memory-by air| 2 | --memory-by 'air' is not known; auto, group or flags
                    --memory-by flags            | 2 | --memory-by needs --memory
                    --memory 64m --http          | 2 | of heap are needed
                    --memory 64m..1g --trials 2  | 2 | load: a search, also that of --curve, excludes
                    --limit p99                  | 2 | limit 'p99' cannot be read
                    --url ftp://host/            | 2 | --url 'ftp://host/' is not allowed; http://HOST:PORT/PATH
                    --url http://a/ --http       | 2 | --http starts a server and --url names one
                    --clients process            | 2 | --clients says where the clients of --http run
                    --http --clients elsewhere   | 2 | --clients 'elsewhere' is not known; process or server
                    --method GET                 | 2 | --method is one of requests over HTTP
                    --http --method PUT          | 2 | --method 'PUT' is not known; GET or POST
                    --duration 0s                | 2 | --duration 0s is out of range; 1ms to 24h
                    --instances=2                | 2 | Unknown option: '--instances=2'
                    """)
    void invalidInputIsRefusedInOneLine(String arguments, int code, String line) {
        FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);
        List<String> typed = new ArrayList<>(List.of(arguments.split(" ")));
        typed.addAll(List.of("--transport", "plain"));
        assertThat(run(laboratory, typed.toArray(String[]::new))).isEqualTo(code);
        assertThat(laboratory.complaints()).hasSize(1);
        assertThat(laboratory.complaints().get(0)).startsWith("baton: ").contains(line);
        assertThat(laboratory.out()).isEmpty();
        assertThat(temporary).isEmptyDirectory();
    }

    private int run(FakeLaboratory laboratory, String... typed) {
        List<String> arguments = new ArrayList<>(List.of("load"));
        arguments.addAll(List.of("--out", temporary.resolve("results").toString()));
        arguments.addAll(List.of("--dir", temporary.resolve("data").toString()));
        arguments.addAll(List.of(typed));
        return laboratory.run(arguments.toArray(String[]::new));
    }

    private List<TrialResult> results() throws IOException {
        List<TrialResult> results = LeftResults.below(temporary.resolve("results"));
        assertThat(results).isNotEmpty();
        return results;
    }
}
