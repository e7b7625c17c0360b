package dev.baton.lab.study.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.aeron.ArchiveProvider;
import dev.baton.operations.line.CommandException;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** An Archive in a process of its own, which stands still or never becomes ready. */
@Timeout(120)
class ArchiveProcessTest {
    private static final List<String> FLAGS = List.of(
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    @TempDir
    private Path temporary;

    @Test
    @Tag("long")
    @EnabledOnOs(value = OS.LINUX, disabledReason = "a process is stopped by SIGSTOP")
    void archiveRecoversAfterLongSuspension() throws IOException, InterruptedException {
        try (ArchiveProcess archive = new ArchiveProcess(temporary, FLAGS, false, () -> false)) {
            Map<String, String> options = new HashMap<>(archive.options());
            options.put("timeout", "7s");
            createTopic(options, "before");
            signal("STOP", archive.process.pid());
            // seven seconds: longer than the driver's patience with the Archive
            assertThatThrownBy(() -> createTopic(options, "meanwhile")).isInstanceOf(TransportException.class);
            signal("CONT", archive.process.pid());
            await().atMost(Duration.ofSeconds(40))
                    .ignoreExceptionsInstanceOf(TransportException.class)
                    .untilAsserted(() -> createTopic(options, "after"));
            try (Transport transport = new ArchiveProvider().open(options)) {
                assertThat(transport.topics()).contains("before", "after");
            }
        }
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "command lines are read from /proc")
    void failedArchiveLeavesNoProcess() {
        assertThatThrownBy(() -> new ArchiveProcess(temporary, FLAGS, false, () -> true))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("interrupted");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(ProcessHandle.current().descendants())
                        .noneMatch(each -> commandOf(each).contains(temporary.toString())));
    }

    /** The whole of it: {@link ProcessHandle.Info} omits the arguments of a long one. */
    private static String commandOf(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
        } catch (IOException ended) {
            return "";
        }
    }

    private static void createTopic(Map<String, String> options, String name) {
        try (Transport transport = new ArchiveProvider().open(options)) {
            transport.createTopics(List.of(name));
        }
    }

    private static void signal(String name, long pid) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
    }
}
