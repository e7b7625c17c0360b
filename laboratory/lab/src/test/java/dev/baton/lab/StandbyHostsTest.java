package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.aeron.ArchiveProvider;
import dev.baton.lab.launch.Hosts;
import dev.baton.lab.launch.TiedJvm;
import dev.baton.lab.launch.jvm.InstalledJvm;
import dev.baton.operations.Operations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** An Archive and its standby on two hosts, of which one is lost or cut off, with clients there and on a third host. */
@Tag("long")
@Timeout(240)
@ResourceLock(TestHosts.LOCK)
class StandbyHostsTest {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);
    private static final int PORT = 8010;
    private static final int PRIMARY = 0;
    private static final int STANDBY = 1;
    private static final int THIRD = 2;

    @TempDir
    private Path directory;

    private final Hosts hosts = TestHosts.make(3);
    private final List<Running> all = new ArrayList<>();

    @AfterEach
    void stop() {
        all.forEach(each -> each.jvm.close());
        hosts.close();
    }

    /** A process and its lines. */
    private record Running(TiedJvm jvm, List<String> lines) {
        long newest(String word) {
            return lines.stream()
                    .filter(line -> line.startsWith(word + " "))
                    .mapToLong(line -> Long.parseLong(line.split(" ")[1]))
                    .reduce(0, (before, last) -> last);
        }

        String awaitFailure() {
            await().atMost(LONGEST_WAIT).until(() -> !jvm.isAlive());
            jvm.awaitOutput();
            return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
        }
    }

    private Running start(int host, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(hosts.on(host));
        List<String> flags =
                new ArrayList<>(new ArchiveProvider().jvmFlags(Runtime.version().feature()));
        flags.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m"));
        command.addAll(InstalledJvm.current().command(flags, main, arguments));
        List<String> lines = new CopyOnWriteArrayList<>();
        Running running =
                new Running(TiedJvm.start(main.getSimpleName(), command, StandbyHost.READY, lines::add), lines);
        all.add(running);
        return running;
    }

    private Running ready(int host, String... arguments) throws InterruptedException {
        Running running = start(host, StandbyHost.class, arguments);
        running.jvm.awaitReady(TimeUnit.SECONDS.toNanos(LONGEST_WAIT.toSeconds()), () -> false);
        return running;
    }

    private String address(int host) {
        return hosts.address(host) + ":" + PORT;
    }

    private Path of(int host) {
        return directory.resolve("host" + host);
    }

    private Running archive(int host) throws InterruptedException {
        return ready(host, "archive", of(host).toString(), address(host));
    }

    private String driver(int host) {
        return "driver=" + of(host).resolve("driver");
    }

    private String[] writerOfPrimary() {
        return new String[] {"write", driver(PRIMARY), "address=" + address(PRIMARY), "standby=" + address(STANDBY)};
    }

    @Test
    void nothingStoredOnBothIsLostWithHost() throws Exception {
        Running primary = archive(PRIMARY);
        archive(STANDBY);
        ready(THIRD, "driver", of(THIRD).toString());
        Running writer = ready(PRIMARY, writerOfPrimary());
        Running reader = ready(
                THIRD, "read", "sink", driver(THIRD), "archive=" + address(PRIMARY), "standby=" + address(STANDBY));
        await().atMost(LONGEST_WAIT).until(() -> writer.newest("stored") > 20_000 && reader.newest("read") > 10_000);
        primary.jvm.kill();
        writer.jvm.kill();
        hosts.cut(PRIMARY, true);
        writer.jvm.awaitOutput();
        assertThat(reader.awaitFailure()).startsWith("failed ");
        long stored = writer.newest("stored");
        long read = reader.newest("read");

        Running promotion = start(
                STANDBY,
                Operations.class,
                "promote",
                "-o",
                driver(STANDBY),
                "-o",
                "timeout=4s",
                "--instead-of=" + address(PRIMARY));
        promotion.awaitFailure();
        assertThat(promotion.jvm.exitValue()).as(promotion.lines.toString()).isZero();
        assertThat(promotion.lines).contains("promoted instead of " + address(PRIMARY) + ": 1 topic");

        Running audit = ready(THIRD, "read", "audit", driver(THIRD), "archive=" + address(STANDBY));
        long newest = Long.parseLong(
                audit.lines.get(audit.lines.size() - 1).split(" of ")[1].split(" ")[0]);
        assertThat(newest).isGreaterThanOrEqualTo(stored).isGreaterThanOrEqualTo(read);
        Running successor = ready(THIRD, "write", driver(THIRD), "archive=" + address(STANDBY));
        assertThat(successor.lines).contains("ready behind " + newest);
        await().atMost(LONGEST_WAIT).until(() -> audit.newest("read") > newest + 1_000); // it checks each frame
        ready(THIRD, "read", "sink", driver(THIRD), "archive=" + address(STANDBY));

        hosts.cut(PRIMARY, false);
        archive(PRIMARY);
        assertThat(start(PRIMARY, StandbyHost.class, writerOfPrimary()).awaitFailure())
                .contains("was promoted with epoch 2", "has epoch 1");
        assertThat(start(PRIMARY, StandbyHost.class, "write", driver(PRIMARY)).awaitFailure())
                .contains("has a standby");
    }

    @Test
    void nothingIsStoredInSplitNetwork() throws Exception {
        archive(PRIMARY);
        archive(STANDBY);
        Running writer = ready(PRIMARY, writerOfPrimary());
        await().atMost(LONGEST_WAIT).until(() -> writer.newest("stored") > 1_000);
        hosts.part(PRIMARY, STANDBY, true);
        assertThat(writer.awaitFailure()).startsWith("failed ").contains("standby");
        long stored = writer.newest("stored");

        Running promotion = start(
                STANDBY,
                Operations.class,
                "promote",
                "--transport=aeron-archive",
                "-o",
                driver(STANDBY),
                "-o",
                "timeout=4s",
                "--instead-of=" + address(PRIMARY));
        promotion.awaitFailure();
        assertThat(promotion.jvm.exitValue()).as(promotion.lines.toString()).isZero();
        Running successor = ready(STANDBY, "write", driver(STANDBY));
        long newest = Long.parseLong(successor.lines.stream()
                .filter(line -> line.startsWith("ready"))
                .findFirst()
                .orElseThrow()
                .split(" ")[2]);
        assertThat(newest).isGreaterThanOrEqualTo(stored);
        await().atMost(LONGEST_WAIT).until(() -> successor.newest("stored") > newest + 1_000);

        Running cutOff = start(PRIMARY, StandbyHost.class, writerOfPrimary());
        assertThat(cutOff.awaitFailure()).startsWith("failed no Archive has answered");
        hosts.part(PRIMARY, STANDBY, false);
        assertThat(start(PRIMARY, StandbyHost.class, writerOfPrimary()).awaitFailure())
                .contains("was promoted with epoch 2");
    }
}
