package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.kafka.embedded.BrokerCluster;
import dev.baton.kafka.embedded.BrokerProcessOptions;
import dev.baton.lab.trial.Transports;
import dev.baton.operations.Operations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Nobody listens who was not asked to, and who was listens on loopback alone. */
@Timeout(300)
@EnabledOnOs(OS.LINUX)
@Tag("long")
class ListenersTest {
    /** 127.0.0.1 as the kernel writes it, in the tables of IPv4 and of IPv6. */
    private static final Set<String> LOOPBACK = Set.of("0100007F", "0000000000000000FFFF00000100007F");

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
    void serviceListensOnLoopbackOnlyOnRequest() throws IOException {
        Process silent = service("--only=1");
        Process healthy = service("--only=2", "--http=0");
        await().atMost(LONGEST_WAIT)
                .until(() ->
                        said("--only=1").contains("running") && said("--only=2").contains("/health"));

        assertThat(ProcessFiles.listening(silent.pid())).isEmpty();
        assertThat(ProcessFiles.listening(healthy.pid())).isNotEmpty().isSubsetOf(LOOPBACK);
    }

    @Test
    @Tag("slow")
    void aBrokerListensOnLoopback() throws IOException {
        try (BrokerCluster broker =
                BrokerCluster.start(BrokerProcessOptions.defaults().withJvmFlags(List.of("-XX:TieredStopAtLevel=1")))) {
            assertThat(ProcessFiles.listening(broker.pid(0))).isNotEmpty().isSubsetOf(LOOPBACK);
        }
    }

    private Process service(String... typed) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(Transports.named("chronicle").jvmFlags(Runtime.version().feature()));
        command.addAll(
                List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(
                Operations.class.getName(), "service", "--chain=forwarding", "--name=five", "--transport=chronicle"));
        command.add("--dir=" + temporary.resolve("queues"));
        command.addAll(List.of(typed));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(temporary.resolve(typed[0]).toFile())
                .start();
        started.add(process);
        return process;
    }

    private String said(String name) throws IOException {
        return Files.readString(temporary.resolve(name));
    }
}
