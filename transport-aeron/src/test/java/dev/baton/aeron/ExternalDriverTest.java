package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Chain;
import dev.baton.ChainFailedException;
import dev.baton.Claim;
import dev.baton.Inlet;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.aeron.driver.DriverClient;
import dev.baton.run.Loops;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A transport over a media driver that is a program of its own, which continues with others and without them. */
@Tag("slow")
class ExternalDriverTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(800);
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final int MANY = 20_000;

    private static TestDriver shared;

    @TempDir
    Path directory;

    @BeforeAll
    static void start() {
        shared = TestDriver.start(LONG);
    }

    @AfterAll
    static void end() {
        shared.close();
    }

    @Test
    void missingMediaDriverIsReportedWithItsStart() {
        assertThatThrownBy(() -> AeronTransport.open(AeronOptions.defaults()
                        .with(AeronOptions.DRIVER, directory)
                        .with(AeronOptions.TIMEOUT, TIMEOUT)))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(
                        "no media driver runs in driver=" + directory,
                        DriverClient.JVM_FLAG,
                        "-Daeron.dir=" + directory + " io.aeron.driver.MediaDriver")
                .hasMessageNotContaining("Archiv");
    }

    @Test
    void aMediaDriverOfAnotherVersionIsNamed() throws IOException {
        CncFiles.ofAnotherVersion(shared.directory(), directory);
        assertThatThrownBy(() -> AeronTransport.open(AeronOptions.defaults()
                        .with(AeronOptions.DRIVER, directory)
                        .with(AeronOptions.TIMEOUT, TIMEOUT)))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("driver=" + directory, "9.0.0", DriverClient.LIBRARY_VERSION);
    }

    @Test
    void failedDriverStartIsNotReportedAsVersion() throws IOException {
        CncFiles.ofAFailedStart(directory);
        assertThatThrownBy(() -> AeronTransport.open(AeronOptions.defaults()
                        .with(AeronOptions.DRIVER, directory)
                        .with(AeronOptions.TIMEOUT, TIMEOUT)))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("driver=" + directory, "start has failed");
    }

    @Test
    void closingTheTransportLeavesTheRunningDriver() {
        Path own = AeronOptions.defaults().get(AeronOptions.DIRECTORY);
        String mine = "baton-aeron-" + ProcessHandle.current().pid() + "-";
        List<Path> others = shared.logs();
        List<Path> logs;
        try (AeronEnds ends = new AeronEnds(shared.options())) {
            ends.write(1);
            logs = shared.logs();
            logs.removeAll(others);
            assertThat(logs).hasSize(1);
            assertThat(shared.directory().resolve("baton/t")).isDirectory();
            assertThat(own).isDirectoryNotContaining("glob:**/" + mine + "*");
            assertThat(ends.transport.properties().get("configuration"))
                    .contains("driver=" + shared.directory(), "timeout=10000ms");
        }
        assertThat(shared.directory().resolve("baton/t")).doesNotExist();
        AeronEnds.until("the removal of the log", () -> !Files.exists(logs.get(0)));
        try (AeronEnds again = new AeronEnds(shared.options())) {
            again.write(2);
            assertThat(again.read()).containsExactly(2L);
        }
    }

    @Test
    void anInterruptedThreadOpensWritesAndReadsOn() {
        Thread.currentThread().interrupt();
        try (AeronEnds ends = new AeronEnds(shared.options())) {
            for (long i = 1; i <= MANY; i++) {
                ends.write(i);
                assertThat(ends.read()).containsExactly(i);
            }
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    void longPausesStayBelowClientLivenessTimeout() {
        try (AeronEnds ends = new AeronEnds(shared.options())) {
            long begun = System.nanoTime();
            ends.connection.await(Duration.ofMinutes(10).toNanos());
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(LONGEST);
        }
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "blocks are counted by stat of GNU")
    void logsAreAllocatedAtOnce() throws IOException {
        List<Path> before = shared.logs();
        try (AeronEnds ends = new AeronEnds(shared.options().with(AeronOptions.TERM_LENGTH, 1 << 20))) {
            ends.write(1);
            List<Path> logs = shared.logs();
            logs.removeAll(before);
            assertThat(logs).hasSize(1);
            assertThat(allocated(logs.get(0))).isGreaterThanOrEqualTo(Files.size(logs.get(0)));
        }
    }

    private static long allocated(Path log) throws IOException {
        Process stat = new ProcessBuilder("stat", "-c", "%b %B", log.toString()).start();
        String[] told = new String(stat.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .trim()
                .split(" ");
        return Long.parseLong(told[0]) * Long.parseLong(told[1]);
    }

    @Test
    void theEndOfTheDriverFailsTheTransport() {
        try (TestDriver driver = TestDriver.start(LONG)) {
            AeronEnds ends = new AeronEnds(driver.options());
            ends.write(1);
            driver.end();
            assertThatThrownBy(ends::turnUntilItFails)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll("driver=" + driver.directory(), "has ended", "lost", "sequence 1");
            ends.writer.claim(Long.BYTES).stamp(0, 0, 0, 0, 0);
            ends.writer.commit(Long.BYTES);
            assertThatThrownBy(ends.writer::flush)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll("topic 't' cannot be written", "has ended");
            assertThatThrownBy(() -> {
                        ends.read();
                        ends.read();
                    })
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll("topic 't' cannot be read", "has ended");
            assertThatThrownBy(ends.transport::connect)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("no media driver runs");
            assertThatThrownBy(() -> ends.transport.createTopics(List.of("another")))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("no media driver runs");
            ends.close();
        }
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "descriptors are counted in /proc")
    void logsStayMappedAfterALoss() throws IOException {
        try (TestDriver driver = TestDriver.start(LONG)) {
            long before = LogDescriptors.count();
            AeronEnds ends = new AeronEnds(driver.options());
            driver.end();
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(ends::turnUntilItFails).isInstanceOf(TransportException.class);
            }
            assertThat(LogDescriptors.count()).isEqualTo(before + 2); // of the client and of the reader
            ends.close();
            assertThat(LogDescriptors.count()).isEqualTo(before);
        }
    }

    @Test
    void aChainFailsWhenTheDriverIsStalled() {
        try (TestDriver driver = TestDriver.start(LONG);
                AeronTransport transport = AeronTransport.open(driver.options().with(AeronOptions.TIMEOUT, TIMEOUT));
                Loops loops = Loops.cooperative(2);
                RunningChain running = start(transport, loops, () -> (in, out) -> out.forward(in))) {
            Inlet inlet = running.inlet();
            driver.standStill();
            long begun = System.nanoTime();
            AeronEnds.until("the failure", () -> {
                sendIfThereIsRoom(inlet);
                return running.failure().isPresent();
            });
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(LONGEST);
            assertThat(running.failure())
                    .get()
                    .satisfies(failure -> assertThat(failure)
                            .isInstanceOf(TransportException.class)
                            .hasMessageContainingAll("driver=" + driver.directory(), "timeout=1000ms", "was stalled"));
            running.close(Duration.ofMillis(1));
            driver.goOn();
        }
    }

    @Test
    void aStalledChainFailsWhenItContinues() {
        try (TestDriver driver = TestDriver.start(SHORT);
                AeronTransport transport = AeronTransport.open(driver.options());
                Loops loops = Loops.cooperative(1);
                RunningChain running = start(transport, loops, () -> (in, out) -> {
                    AeronEnds.until("the end of the client", () -> driver.clients() == 0);
                    out.forward(in);
                })) {
            sendIfThereIsRoom(running.inlet());
            AeronEnds.until("the failure", () -> running.failure().isPresent());
            assertThat(running.failure())
                    .get()
                    .satisfies(failure -> assertThat(failure)
                            .isInstanceOf(TransportException.class)
                            .hasMessageContainingAll("driver=" + driver.directory(), "timed this process out"));
            running.close(Duration.ofMillis(1));
        }
    }

    private static RunningChain start(AeronTransport transport, Loops loops, Supplier<Service> second) {
        return Chain.named("orders")
                .then("first", () -> (in, out) -> out.forward(in))
                .then("second", second)
                .build()
                .on(transport)
                .with(loops)
                .onOutput(in -> {})
                .start();
    }

    private static void sendIfThereIsRoom(Inlet inlet) {
        try {
            Claim claim = inlet.tryClaim(Long.BYTES);
            if (claim != null) {
                claim.putLong(0, 1).commit(Long.BYTES);
            }
        } catch (ChainFailedException known) { // the loop has met it first
            assertThat(known).hasCauseInstanceOf(TransportException.class);
        } catch (RuntimeException failed) {
            assertThat(failed).isInstanceOf(TransportException.class);
        }
    }

    @Test
    void aTransportWithoutTurnsKeepsItsTopics() {
        try (TestDriver driver = TestDriver.start(SHORT);
                AeronTransport transport = AeronTransport.open(driver.options())) {
            transport.createTopics(List.of("t"));
            for (int opens = 0; opens < 2; opens++) {
                AeronEnds.until("the end of the client", () -> driver.clients() == 0);
                try (var connection = transport.connect()) {
                    TopicWriter writer = connection.openWriter("t");
                    assertThat(writer.sequence()).isEqualTo(opens);
                    writer.claim(0).stamp(0, 0, 0, 0, 0);
                    writer.commit(0);
                    writer.flush();
                }
            }
        }
    }

    @Test
    void turnsOfOneConnectionServeAll() {
        try (TestDriver driver = TestDriver.start(SHORT);
                AeronEnds ends = new AeronEnds(driver.options());
                var other = ends.transport.connect()) {
            long begun = System.nanoTime();
            AeronEnds.until("more than the timeout", () -> {
                other.doWork();
                return System.nanoTime() - begun > 2 * SHORT.toNanos();
            });
            ends.write(1);
            assertThat(ends.read()).containsExactly(1L);
        }
    }
}
