package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.kafka.embedded.BrokerSecurity;
import dev.baton.kafka.embedded.EmbeddedKafka;
import dev.baton.kafka.embedded.EmbeddedKafkaOptions;
import dev.baton.lab.trial.Transports;
import dev.baton.lab.trial.TrialRunner;
import dev.baton.operations.Operations;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The laboratory over a broker that wants TLS and a login: it measures, and nobody gets to see the password. */
@Tag("slow")
@Timeout(180)
@EnabledOnOs(OS.LINUX)
@Tag("long")
class SecuredKafkaTest {
    private static final String SECRET = "xyzzy-lab";

    private static EmbeddedKafka broker;

    @TempDir
    private Path temporary;

    @BeforeAll
    static void start() {
        broker = EmbeddedKafka.start(EmbeddedKafkaOptions.defaults().withSecurity(BrokerSecurity.users("lab", SECRET)));
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void processListShowsNoSecret() throws Exception {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class);
        Path results = temporary.resolve("results");
        Queue<String> shown = new ConcurrentLinkedQueue<>();
        Thread onlooker = onlooker(shown);
        int code;
        try {
            code = laboratory.run(
                    "chain",
                    "@" + options(SECRET),
                    "--processes=per-service",
                    "--services=2",
                    "--rate=100",
                    "--warmup=500ms",
                    "--duration=1s",
                    "--jvm-flags=-Dsome.password=xyzzy-flag",
                    "--out=" + results,
                    "--dir=" + temporary.resolve("data"));
        } finally {
            onlooker.interrupt();
            onlooker.join();
        }

        assertThat(code).as(laboratory::err).isIn(0, 1, 4); // 1, 4: too short to be judged on a busy machine
        assertThat(shown)
                .anyMatch(line -> line.contains("TrialRunner"))
                .anyMatch(line -> line.contains("dev.baton.operations.Operations service"))
                .noneMatch(line -> line.contains("xyzzy"));
        assertThat(laboratory.out() + laboratory.err()).doesNotContain("xyzzy");
        try (Stream<Path> files = Files.walk(results)) {
            List<Path> kept = files.filter(Files::isRegularFile).toList();
            assertThat(kept).anyMatch(file -> file.toString().endsWith(".trial.json"));
            for (Path each : kept) {
                assertThat(Files.readString(each, StandardCharsets.ISO_8859_1))
                        .as(each.toString())
                        .doesNotContain("xyzzy");
            }
        }
    }

    @Test
    void wrongPasswordIsRefusedBeforeTrials() throws Exception {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class);

        int code = laboratory.run("chain", "@" + options("xyzzy-wrong"), "--duration=1s", "--out=" + temporary);

        assertThat(code).isEqualTo(3);
        assertThat(laboratory.complaints()).hasSize(1).first().asString().contains("client.sasl.jaas.config");
        assertThat(laboratory.out() + laboratory.err()).doesNotContain("xyzzy");
    }

    @Test
    void serviceUsesLoginOfEnvironment() throws Exception {
        Process right = service("right", SECRET);
        Process wrong = service("wrong", "xyzzy-wrong");
        try {
            await().atMost(60, TimeUnit.SECONDS).until(() -> said("right").contains("five s1 running"));
            assertThat(ProcessFiles.commandLine(right.pid()))
                    .contains("env:BATON_LOGIN")
                    .doesNotContain("xyzzy");
            assertThat(wrong.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(wrong.exitValue()).isEqualTo(3);
            assertThat(said("wrong"))
                    .contains("five s1 failed: ", "client.sasl.jaas.config")
                    .doesNotContain("xyzzy", "five s1 waiting");
            assertThat(said("right")).contains("sasl.jaas.config = [hidden]").doesNotContain("xyzzy");
        } finally {
            right.destroy();
            wrong.destroyForcibly().waitFor();
            right.waitFor();
        }
    }

    /** In a file, quoted as an argument file wants it. */
    private Path options(String password) throws IOException {
        return Files.writeString(
                temporary.resolve("secured.args"),
                String.join(
                                "\n",
                                typed("\"client.sasl.jaas.config="
                                        + login(password).replace("\"", "\\\"") + "\"")) + "\n");
    }

    private static String login(String password) {
        return "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"lab\" password=\""
                + password + "\";";
    }

    private static List<String> typed(String login) {
        return List.of(
                "--transport=kafka",
                "--bootstrap-servers=" + broker.bootstrapServers(),
                "-o",
                "client.security.protocol=SASL_SSL",
                "-o",
                "client.sasl.mechanism=PLAIN",
                "-o",
                login,
                "-o",
                "client.ssl.truststore.type=PEM",
                "-o",
                "client.ssl.truststore.location=" + broker.authority().orElseThrow());
    }

    private Process service(String name, String password) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(Transports.named("chronicle").jvmFlags(Runtime.version().feature()));
        command.addAll(List.of(
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dorg.slf4j.simpleLogger.defaultLogLevel=info"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Operations.class.getName()));
        command.addAll(List.of("service", "--chain=forwarding", "--name=five", "--only=1"));
        command.addAll(typed("client.sasl.jaas.config=env:BATON_LOGIN"));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(temporary.resolve(name).toFile());
        builder.environment().put("BATON_LOGIN", login(password));
        return builder.start();
    }

    private String said(String name) throws IOException {
        return Files.readString(temporary.resolve(name));
    }

    /** Looks at the process list, again and again. */
    private static Thread onlooker(Queue<String> shown) {
        Thread thread = new Thread(
                () -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        ProcessFiles.descendants().forEach(pid -> shown.add(ProcessFiles.commandLine(pid)));
                        LockSupport.parkNanos(20_000_000);
                    }
                },
                "onlooker");
        thread.start();
        return thread;
    }
}
