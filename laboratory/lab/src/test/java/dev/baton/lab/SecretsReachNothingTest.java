package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.command.Workbench;
import dev.baton.lab.launch.BrokerSource.KafkaBrokers;
import dev.baton.lab.launch.FakeTrial;
import dev.baton.lab.launch.FakeTrialHost;
import dev.baton.lab.schema.Schemas;
import dev.baton.lab.trial.TrialRunner;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.Interruption;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.terminal.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands with secrets of every kind, whose files and output are searched for them. */
@Tag("long")
class SecretsReachNothingTest {
    /** All secrets below hold this word, which nothing else does. */
    private static final String WORD = "xyzzy";

    private static final List<String> SECRETS = List.of(
            "-o",
            "client.sasl.jaas.config=PlainLoginModule required username=\"xyzzy-1\" password=\"xyzzy 2\";",
            "-o=producer.ssl.truststore.password=xyzzy-3",
            "-oconsumer.ssl.keystore.location=/xyzzy-4",
            "--jvm-flags=-Dharmless=1 -Djavax.net.ssl.keyStorePassword=xyzzy-5");

    @TempDir
    Path temporary;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    @Tag("slow")
    void aTrialThatSucceedsKeepsNoSecret() throws IOException {
        int code = chain(TrialRunner.class, "--rate", "100", "--warmup", "200ms", "--duration", "500ms");

        assertThat(code)
                .as(err.toString())
                .isIn(0, 1, 4); // 1, 4: a busy machine delayed the sender, or disturbed the trial
        List<Path> files = files();
        assertThat(files).anyMatch(file -> file.toString().endsWith("kafka.trial.json"));
        for (Path file : files) {
            assertThat(text(file)).as(file.toString()).doesNotContain(WORD);
            if (file.toString().endsWith(".json")) {
                assertThat(text(file)).contains("***").contains("-Dharmless=1").contains("acks");
            }
        }
        assertThat(out + err.toString()).doesNotContain(WORD);
        Schemas.requireValid(temporary);
    }

    @Test
    @Tag("slow")
    void complaintOfJvmContainsNoSecret() throws IOException {
        int code = chain(FakeTrial.Indiscreet.class);

        assertThat(code).isEqualTo(1);
        assertThat(err.toString()).contains("baton: kafka: ", "login as *** with *** failed");
        assertThat(files()).anySatisfy(file -> {
            assertThat(file.toString()).endsWith("kafka.errors.log");
            assertThat(text(file)).contains("login as *** with *** failed", "the plan's file says ***");
        });
        for (Path file : files()) {
            assertThat(text(file)).as(file.toString()).doesNotContain(WORD);
        }
        assertThat(out + err.toString()).doesNotContain(WORD);
    }

    @Test
    void refusedArgumentsAreShownWithoutSecret() {
        assertThat(run("chain", "--password=" + WORD)).isEqualTo(2);
        assertThat(run("chain", "--transport", "disruptor", "-o", "sasl.password=" + WORD))
                .isEqualTo(2);
        assertThat(run("load", "--url=http://me:" + WORD + "@host:x")).isEqualTo(2);
        assertThat(run("chain", "--jvm-flags", "-XX:NoSuch -Dpassword=" + WORD)).isNotZero();
        assertThat(out + err.toString()).contains("***").doesNotContain(WORD);
    }

    private int chain(Class<?> childMain, String... further) {
        List<String> arguments = new ArrayList<>(
                List.of("chain", "--transport", "kafka", "-o", "acks=1", "--out", temporary.toString()));
        arguments.addAll(SECRETS);
        arguments.addAll(List.of(further));
        return execute(childMain, arguments.toArray(String[]::new));
    }

    private int run(String... arguments) {
        return execute(FakeTrial.class, arguments);
    }

    private int execute(Class<?> childMain, String... arguments) {
        Console console =
                new Console(new PrintWriter(out), new PrintWriter(err), new Terminal(false, false, 100, false));
        Workbench bench = new Workbench(
                KnownTransports.onClassPath(),
                new KafkaBrokers(Map.of(), List.of("-XX:TieredStopAtLevel=1")),
                FakeTrialHost.program(childMain),
                new Interruption());
        return Laboratory.commandLine(console, bench, arguments).execute(arguments);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(temporary)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    }
}
