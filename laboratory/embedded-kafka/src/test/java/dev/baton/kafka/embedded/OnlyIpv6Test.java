package dev.baton.kafka.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A host whose loopback interface has no address but ::1: a network namespace of this machine. */
@Tag("slow")
@Timeout(120)
@Tag("long")
class OnlyIpv6Test {
    private static final String WITHOUT_IPV4 = "ip link set lo up && ip address delete 127.0.0.1/8 dev lo";
    private static final String WITHOUT_ANY = WITHOUT_IPV4 + " && ip address delete ::1/128 dev lo";

    /** Main class of the process in that namespace: a broker, and a client of it. */
    public static final class There {
        private There() {}

        public static void main(String[] args) throws Exception {
            try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
                TestClient client = new TestClient(kafka.bootstrapServers(), Map.of());
                client.createTopic("a", 1);
                client.write("a", "written");
                System.out.println(client.readFirst("a") + " at " + kafka.bootstrapServers());
            }
        }
    }

    @Test
    void brokerListensOnIpv6OnlyLoopback() throws Exception {
        assertThat(outputOf(WITHOUT_IPV4)).contains("written at [::1]:");
    }

    @Test
    void missingLoopbackAddressIsNamed() throws Exception {
        assertThat(outputOf(WITHOUT_ANY)).contains("a broker needs 127.0.0.1 or ::1 on the loopback interface");
    }

    private static String outputOf(String setup) throws Exception {
        assumeTrue(isPossible(), "network namespaces need root, unshare and ip");
        ProcessBuilder builder = new ProcessBuilder(
                "unshare",
                "--net",
                "sh",
                "-c",
                setup + " && exec \"$@\"",
                "sh",
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                There.class.getName());
        builder.environment()
                .put(
                        "CLASSPATH",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        Process process = builder.redirectErrorStream(true).start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            return output;
        } finally {
            process.destroyForcibly().onExit().join();
        }
    }

    private static boolean isPossible() throws InterruptedException {
        try {
            return new ProcessBuilder(List.of("unshare", "--net", "ip", "link", "set", "lo", "up"))
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException absent) {
            return false;
        }
    }
}
