package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.trial.TrialRunner;
import dev.baton.operations.settings.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets that are typed into a file, or stand in the environment, are as hidden as those on the command line. */
class TypedSecretsTest {
    private static final String WORD = "xyzzy";

    @TempDir
    private Path temporary;

    private final FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class);

    @Test
    void refusedArgumentFileIsShownWithoutSecret() throws IOException {
        Path file = Files.writeString(
                temporary.resolve("options"),
                "--transport=disruptor\n-o\n\"client.sasl.jaas.config=Module required password=\\\"xyzzy 1\\\";\"\n");
        assertThat(laboratory.run("chain", "@" + file)).isEqualTo(2);
        Path other = Files.writeString(temporary.resolve("other"), "--sasl-password=xyzzy2\n");
        assertThat(laboratory.run("chain", "@" + other)).isEqualTo(2);

        assertThat(laboratory.err()).contains("baton: ", "***").doesNotContain(WORD);
    }

    @Test
    void unquotedSecretOfAFileIsNotShown() throws IOException {
        Path file = Files.writeString(
                temporary.resolve("unquoted"), "-o client.sasl.jaas.config=Module required password=\"xyzzy 1\"\n");
        assertThat(laboratory.run("chain", "--transport=kafka", "@" + file)).isEqualTo(2);

        assertThat(laboratory.err())
                .contains("@" + file, "quote a value with blanks")
                .doesNotContain(WORD)
                .hasLineCount(1);
    }

    @Test
    void aVariableThatIsNotSetIsNamed() {
        assertThat(laboratory.run("chain", "--transport=kafka", "-o", "client.sasl.jaas.config=env:NO_SUCH_VARIABLE"))
                .isEqualTo(2);
        assertThat(laboratory.err())
                .contains("client.sasl.jaas.config", "'NO_SUCH_VARIABLE' is not set")
                .hasLineCount(1);
    }

    @Test
    void environmentValueReplacesItsName() {
        String path = System.getenv("PATH");
        assertThat(path).isNotEmpty();

        assertThat(laboratory.run("chain", "--transport=disruptor", "-o", "slots=env:PATH"))
                .isEqualTo(2);
        assertThat(laboratory.err()).contains("slots", path);
    }

    @Test
    void secretSettingsOfKafkaAreHidden() {
        List<String> secret = Stream.of(
                        ProducerConfig.configDef(), ConsumerConfig.configDef(), AdminClientConfig.configDef())
                .flatMap(each -> each.configKeys().values().stream())
                .filter(each -> each.type() == ConfigDef.Type.PASSWORD)
                .map(each -> each.name)
                .distinct()
                .toList();

        assertThat(secret)
                .contains("sasl.jaas.config", "ssl.key.password")
                .allSatisfy(name -> assertThat(Secrets.redacted("client." + name + "=" + WORD))
                        .doesNotContain(WORD));
    }

    @Test
    void experimentStoresArgumentFileWithoutSecrets() throws IOException {
        Path file = Files.writeString(
                temporary.resolve("options"),
                "--jvm-flags=-Dsome.password=xyzzy3\n--rate=100\n--warmup=200ms\n--duration=300ms\n");
        Path results = temporary.resolve("results");

        int code = laboratory.run("chain", "--transport=disruptor", "@" + file, "--out=" + results);

        assertThat(code).as(laboratory::err).isIn(0, 1, 4); // too short to be judged, and others may have the cores
        try (Stream<Path> files = Files.walk(results)) {
            for (Path each : files.filter(Files::isRegularFile).toList()) {
                String text = new String(Files.readAllBytes(each), java.nio.charset.StandardCharsets.ISO_8859_1);
                assertThat(text).as(each.toString()).doesNotContain(WORD);
                if (each.endsWith("experiment.json")) {
                    assertThat(text).contains("--rate=100", "-Dsome.password=***");
                }
            }
        }
        assertThat(laboratory.out() + laboratory.err()).doesNotContain(WORD);
    }
}
