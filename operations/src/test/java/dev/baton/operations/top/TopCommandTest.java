package dev.baton.operations.top;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.baton.operations.Operations;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.Interruption;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.terminal.Terminal;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What {@code baton top} shows of processes that answer, and of those that do not. */
class TopCommandTest {
    private static final String HEALTH = """
            {"service":"orders: price (instance 0)","state":"running","isHealthy":%s,"backlog":7,"restarts":2,
             "lastError":"broker \\u001b[31mgone","blocked":null,"blockedNanos":0,
             "parts":[{"name":"price","input":{"topic":"orders-0@3","consumed":%d,"backlog":7,"unreadNanos":2500000,
                       "skipped":0},"output":{"topic":"orders-1@3","sent":%d,"stored":%d,"unstoredNanos":1500000},
                       "idleNanos":0}],
             "loops":[{"name":"baton-loop-1","busyNanos":%d,"measuredNanos":%d,"longestSweepNanos":1250000}]}
            """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Interruption interruption = new Interruption();
    private HttpServer server;

    @AfterEach
    void close() {
        if (server != null) {
            server.stop(0);
        }
    }

    private int run(String... arguments) {
        Console console =
                new Console(new PrintWriter(out), new PrintWriter(err), new Terminal(false, false, 80, false));
        return Operations.commandLine(console, KnownTransports.onClassPath(), interruption)
                .execute(Stream.concat(Stream.of("top"), Stream.of(arguments)).toArray(String[]::new));
    }

    @Test
    @Timeout(30)
    void closedPipeEndsTheCommand() throws IOException {
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int each) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        Console console =
                new Console(new PrintWriter(closed), new PrintWriter(err), new Terminal(false, false, 80, false));

        assertThat(Operations.commandLine(console, KnownTransports.onClassPath(), interruption)
                        .execute("top", "--interval", "100ms", process(200, true)))
                .isZero();
    }

    /** Answers with figures that grow by 1,000 messages with each question. */
    private String process(int status, boolean isHealthy) throws IOException {
        AtomicLong asked = new AtomicLong();
        return process(status, () -> {
            long n = asked.incrementAndGet();
            return HEALTH.formatted(isHealthy, n * 1_000, n * 1_000, n * 1_000 - 1, n * 250, n * 1_000);
        });
    }

    private String process(int status, java.util.function.Supplier<String> body) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4);
        server.createContext("/", exchange -> {
            try (exchange) {
                byte[] bytes = body.get().getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(status, bytes.length);
                try (OutputStream to = exchange.getResponseBody()) {
                    to.write(bytes);
                }
            }
        });
        server.start();
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    @Test
    void aProcessIsShownOnceWithinEightyColumns() throws IOException {
        String process = process(200, true);

        assertThat(run("--once", "--interval", "200ms", "http://" + process + "/health"))
                .isZero();
        assertThat(out.toString().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(out.toString())
                .contains(process + "  running  backlog 7  restarts 2")
                .contains("SERVICE", "IN/S", "UNREAD")
                .containsPattern("price@3 +[1-5],\\d{3} +[1-5],\\d{3} +7 +2.50 ms +1.50 ms +0")
                .contains("baton-loop-1 25.0 % busy, longest sweep 1.25 ms")
                .contains("last error: broker  [31mgone")
                .doesNotContain("\u001b");
    }

    @Test
    void newestSnapshotAndDiskAreShown() throws IOException {
        String process = process(
                200,
                () -> HEALTH.formatted(true, 1, 1, 1, 1, 1)
                        .replace(
                                "\"idleNanos\":0",
                                "\"idleNanos\":0,\"snapshots\":{\"input\":4711,\"bytes\":2048,\"ageNanos\":4200000000,\"isLate\":true}")
                        .replace(
                                "\"restarts\":2",
                                "\"restarts\":2,\"storage\":{\"bytes\":3145728,\"freeBytes\":1073741824,\"bytesPerHour\":1048576,"
                                        + "\"secondsUntilFull\":3686400}"));

        assertThat(run("--once", "--interval", "100ms", process)).isZero();
        assertThat(out.toString())
                .contains("    snapshot of input 4,711: 2.00 KiB, 4.20 s old, late")
                .contains("  disk: topics take 3.00 MiB, +1.00 MiB/h, 1.00 GiB free, full in 1024.0 h");
    }

    @Test
    void transportCountersAreShownWithTheirIncrease() throws IOException {
        AtomicLong asked = new AtomicLong();
        String process = process(
                200,
                () -> HEALTH.formatted(true, 1, 1, 1, 1, 1)
                        .replace(
                                "\"restarts\":2",
                                "\"restarts\":2,\"counters\":{\"media driver errors\":1,\"NAKs sent\":%d,\"client timeouts\":0,"
                                                .formatted(1_997 + 3 * asked.getAndIncrement())
                                        + "\"loss gap fills\":-1}"));

        assertThat(run("--once", "--interval", "100ms", process)).isZero();
        assertThat(out.toString())
                .contains("  media driver errors 1, NAKs sent 2,000 (+3), client timeouts 0, loss gap fills\n  ?\n");
    }

    @Test
    void diskFilledByOtherFilesIsReported() throws IOException {
        String process = process(
                200,
                () -> HEALTH.formatted(true, 1, 1, 1, 1, 1)
                        .replace(
                                "\"restarts\":2",
                                "\"restarts\":2,\"storage\":{\"bytes\":3145728,\"freeBytes\":1073741824,\"bytesPerHour\":1048576,"
                                        + "\"secondsUntilFull\":7200}"));

        assertThat(run("--once", "--interval", "100ms", process)).isZero();
        assertThat(out.toString())
                .contains("+1.00 MiB/h, 1.00 GiB free, full in 120 min")
                .contains("    other files grow too: the free space shrinks by 512 MiB/h");
    }

    @Test
    void missingSnapshotAndUnknownGrowthAreShown() throws IOException {
        String process = process(
                200,
                () -> HEALTH.formatted(true, 1, 1, 1, 1, 1)
                        .replace(
                                "\"idleNanos\":0",
                                "\"snapshots\":{\"input\":0,\"bytes\":0,\"ageNanos\":-1,\"isLate\":false}")
                        .replace(
                                "\"restarts\":2",
                                "\"storage\":{\"bytes\":0,\"freeBytes\":1024,\"bytesPerHour\":null,\"secondsUntilFull\":null}"));

        assertThat(run("--once", "--interval", "100ms", process)).isZero();
        assertThat(out.toString())
                .contains("    no snapshot yet\n")
                .contains("  disk: topics take 0 B, 1.00 KiB free\n");
    }

    @Test
    void unhealthyProcessExitsWithOne() throws IOException {
        assertThat(run("--once", "--interval", "100ms", process(503, false))).isEqualTo(1);
        assertThat(out.toString()).contains("running, not healthy");
    }

    @Test
    void aLongErrorIsShownInSomeLines() throws IOException {
        String error = "service price, message 5 of topic orders-1: " + "of no account ".repeat(40);
        String process =
                process(200, () -> HEALTH.formatted(true, 1, 1, 1, 1, 1).replace("broker \\u001b[31mgone", error));

        assertThat(run("--once", "--interval", "100ms", process)).isZero();
        assertThat(out.toString().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(out.toString().lines().filter(line -> line.contains("of no account")))
                .hasSize(4);
        assertThat(out.toString().stripTrailing()).endsWith("...");
    }

    @Test
    void closedPortIsReported() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }

        assertThat(run("--once", "--interval", "100ms", Integer.toString(port))).isEqualTo(3);
        assertThat(out.toString())
                .contains("127.0.0.1:" + port + "  not reached")
                .contains("nothing listens there; is the process running, with --http " + port + "?");
    }

    @Test
    void anotherServerIsNotTakenForAProcess() throws IOException {
        assertThat(run("--once", "--interval", "100ms", process(200, () -> "<html>")))
                .isEqualTo(3);
        assertThat(out.toString()).contains("the server at this address is not a service process of Baton");
    }

    @Test
    void olderAnswerIsShown() throws IOException {
        String old = "{\"service\":\"s\",\"state\":\"running\",\"isHealthy\":true,"
                + "\"parts\":[{\"name\":\"price\",\"input\":{\"topic\":\"a\"},\"output\":null}]}";

        assertThat(run("--once", "--interval", "100ms", process(200, () -> old)))
                .isZero();
        assertThat(out.toString()).contains("price").contains("?");
    }

    @Test
    void invalidAddressIsUsageError() {
        assertThat(run("--once", "some where")).isEqualTo(2);
        assertThat(run("--once", "127.0.0.1:99999")).isEqualTo(2);
        assertThat(run("--once")).isEqualTo(2);
        assertThat(run("--once", "--jmx", "some where")).isEqualTo(2);
        assertThat(run("--once", "--jmx", "host:99999")).isEqualTo(2);
        assertThat(run("--interval", "1ms", "8080")).isEqualTo(2);
        assertThat(err.toString())
                .contains("'127.0.0.1:99999' names no process")
                .contains("name a process: its health port, or --jmx with its process id")
                .contains("--jmx 'host:99999' names no process");
    }

    @Test
    void runsUntilInterrupted() throws IOException {
        AtomicLong asked = new AtomicLong();
        String process = process(200, () -> {
            if (asked.incrementAndGet() == 5) { // whose answer is not awaited
                interruption.request();
            }
            return HEALTH.formatted(true, 1, 1, 1, 1, 1);
        });

        assertThat(run("--interval", "100ms", process)).isZero();
        assertThat(out.toString().split("SERVICE")).hasSizeGreaterThan(3);
    }

    /** A signal waits three seconds for a command that only reads; a process that does not answer is asked for longer. */
    @Test
    void interruptionDuringReadingEndsAtOnce() throws IOException {
        CountDownLatch end = new CountDownLatch(1);
        String process = process(200, () -> {
            interruption.request();
            try {
                end.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
            }
            return "";
        });
        long begun = System.nanoTime();
        try {
            assertThat(run(process)).isZero();
        } finally {
            end.countDown();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(3));
    }
}
