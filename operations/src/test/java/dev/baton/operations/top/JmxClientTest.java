package dev.baton.operations.top;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.baton.Chain;
import dev.baton.RestartPolicy;
import dev.baton.RunningChain;
import dev.baton.chronicle.ChronicleTransport;
import dev.baton.manage.ManagedChain;
import dev.baton.manage.StorageWatch.StorageGrowth;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.time.Duration;
import java.util.List;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** JVMs that {@code baton top} asks through JMX. */
class JmxClientTest {
    @TempDir
    private Path directory;

    @Test
    void localJvmIsReadByProcessId() throws Exception {
        Process jvm = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ShownChain.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(out.readLine()).contains("name=orders");
            JmxClient client = JmxClient.of(Long.toString(jvm.pid()));

            assertThat(client.name()).isEqualTo("process " + jvm.pid());
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(client.read().parts())
                            .extracting(part -> part.name() + " " + part.input().consumed())
                            .contains("price 3"));
            ProcessReading reading = client.read();
            assertThat(reading.problem()).isNull();
            assertThat(reading.service()).isEqualTo("orders");
            assertThat(reading.state()).isEqualTo("running");
            assertThat(reading.isHealthy()).isTrue();
            assertThat(reading.backlog()).isZero();
            assertThat(reading.lastError()).isEmpty();
            assertThat(reading.disk()).isEqualTo(new StorageGrowth(3_000, 7_000, null, null));

            jvm.getOutputStream().close();
            jvm.waitFor();
            assertThat(client.read().problem()).isEqualTo("there is no process " + jvm.pid());
        } finally {
            jvm.destroyForcibly().waitFor();
        }
    }

    @Test
    void jvmIsReadThroughItsPort() throws Exception {
        int port = freePort();
        Registry registry = LocateRegistry.createRegistry(port);
        JMXConnectorServer server = JMXConnectorServerFactory.newJMXConnectorServer(
                new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi"),
                null,
                ManagementFactory.getPlatformMBeanServer());
        server.start();
        JmxClient client = JmxClient.of("127.0.0.1:" + port);
        PipedOutputStream end = new PipedOutputStream();
        PipedInputStream until = new PipedInputStream(end);
        try {
            assertThat(client.read().problem())
                    .isEqualTo("it has no chain in JMX; its code has to call ManagedChain.register");
            List<Thread> chains = List.of(running("orders", until), running("returns", until));
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(client.read().service()).isEqualTo("orders, returns"));
            assertThat(client.read().parts())
                    .extracting(part -> part.input().topic())
                    .contains("orders-0", "returns-0");
            end.close();
            for (Thread each : chains) {
                each.join();
            }
        } finally {
            server.stop();
            UnicastRemoteObject.unexportObject(registry, true);
        }
        assertThat(client.read().problem())
                .isEqualTo("nothing answers there; start the JVM with -Dcom.sun.management.jmxremote.port=" + port);
    }

    /** As for its health port: a standby is healthy. */
    @Test
    void aStandbyIsHealthy() throws Exception {
        int port = freePort();
        Registry registry = LocateRegistry.createRegistry(port);
        JMXConnectorServer server = JMXConnectorServerFactory.newJMXConnectorServer(
                new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi"),
                null,
                ManagementFactory.getPlatformMBeanServer());
        server.start();
        Chain chain = Chain.named("orders")
                .then("price", () -> (in, out) -> out.forward(in))
                .build();
        try (Transport first = ChronicleTransport.in(directory);
                Transport second = ChronicleTransport.in(directory);
                Loops loops = Loops.cooperative(2);
                RunningChain running =
                        chain.on(first).with(loops).onOutput(in -> {}).start();
                RunningChain standby = chain.on(second)
                        .with(loops)
                        .onOutput(in -> {})
                        .restart(RestartPolicy.backoff(Duration.ofMillis(100), Duration.ofSeconds(1)))
                        .standby(true)
                        .start();
                ManagedChain shown = ManagedChain.register(standby, 0)) {
            assertThat(running.failure()).isEmpty();
            await().until(() -> shown.getPhase().equals("STANDING_BY"));
            ProcessReading reading = JmxClient.of("127.0.0.1:" + port).read();
            assertThat(reading.state()).isEqualTo("standing_by");
            assertThat(shown.isHealthy()).isTrue();
            assertThat(reading.isHealthy()).isTrue();
        } finally {
            server.stop();
            UnicastRemoteObject.unexportObject(registry, true);
        }
    }

    private static Thread running(String name, PipedInputStream until) {
        Thread thread = new Thread(() -> {
            try {
                ShownChain.run(name, until);
            } catch (IOException thrown) {
                throw new AssertionError(thrown);
            }
        });
        thread.start();
        return thread;
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    /** Attaching would end it: SIGQUIT is how a JVM is asked. */
    @Test
    void otherProgramsAreNotChanged() throws Exception {
        Process sleeping = new ProcessBuilder("sleep", "60").start();
        try {
            assertThat(JmxClient.of(Long.toString(sleeping.pid())).read().problem())
                    .isEqualTo("process " + sleeping.pid() + " is not a JVM");
            assertThat(sleeping.isAlive()).isTrue();
        } finally {
            sleeping.destroyForcibly().waitFor();
        }
    }

    @Test
    void hiddenProcessIsReportedWithItsOwner() throws Exception {
        UserPrincipal self = Files.getOwner(Path.of("/proc/self"));
        UserPrincipal other = () -> "alice";

        assertThat(JmxClient.refusal(7, other, self)).contains("process 7 is another user's (alice)");
        assertThat(JmxClient.refusal(7, self, self))
                .contains("process 7 runs as this user (" + self.getName() + ")")
                .doesNotContain("another user");
    }

    /** Case of a container: the first process has privileges that this one does not have. */
    @Test
    void firstProcessIsNotForeign() throws Exception {
        assumeThat(isReadable(Path.of("/proc/1/maps"))).isFalse();
        boolean isOurs = Files.getOwner(Path.of("/proc/1")).equals(Files.getOwner(Path.of("/proc/self")));

        assertThat(JmxClient.of("1").read().problem().contains("another user's"))
                .isEqualTo(!isOurs);
    }

    private static boolean isReadable(Path file) {
        try {
            Files.readAllBytes(file);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }
}
