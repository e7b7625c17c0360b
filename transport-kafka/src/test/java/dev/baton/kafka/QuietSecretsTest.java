package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.kafka.client.PassedSecrets;
import dev.baton.spi.Connection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kafka's clients log their settings, and options have texts: neither shows a password. */
@Timeout(120)
@Tag("long")
class QuietSecretsTest {
    @TempDir
    private Path temporary;

    @Test
    @Tag("slow")
    void theClientsLogsShowSettingsAndNoPassword() throws Exception {
        try (SecureBroker broker = new SecureBroker()) {
            String right = run(broker, broker.login(SecureBroker.ROOT));
            String wrong = run(broker, broker.login(SecureBroker.ROOT, "xyzzy-wrong"));

            assertThat(right)
                    .contains("sasl.jaas.config = [hidden]", "ProducerConfig values", "ConsumerConfig values", "opened")
                    .doesNotContain("xyzzy");
            assertThat(wrong)
                    .contains("AdminClientConfig values", "client.sasl.jaas.config")
                    .doesNotContain("xyzzy");
        }
    }

    @Test
    void textsShowNoValuesOfPassedSettings() {
        KafkaOptions options = KafkaOptions.at("localhost:9092")
                .withPassed("client.sasl.jaas.config", "Module required username=\"xyzzy\" password=\"xyzzy\";");
        try (KafkaTransport transport = KafkaTransport.at(options)) {
            assertThat(options + transport.properties().toString() + transport)
                    .contains("client.sasl.jaas.config")
                    .doesNotContain("xyzzy");
        }
    }

    @Test
    void secretsOfKafkaAreHiddenInTexts() {
        PassedSecrets secrets = PassedSecrets.in(Map.of(
                "client.sasl.jaas.config", "a.Module required username=\"smith\" password='hush=hush' x=bare;",
                "producer.ssl.key.password", "rosebud",
                "client.security.protocol", "SASL_SSL"));

        assertThat(secrets.hiddenIn("smith hush bare rosebud SASL_SSL required password"))
                .isEqualTo("*** *** *** *** SASL_SSL required password");
    }

    /** In a JVM of its own; its settings come from a file. */
    private String run(SecureBroker broker, Map<String, String> passed) throws IOException, InterruptedException {
        Properties settings = new Properties();
        settings.putAll(new HashMap<>(passed));
        settings.put("bootstrap-servers", broker.servers());
        Path file = temporary.resolve("settings");
        try (var out = Files.newOutputStream(file)) {
            settings.store(out, null);
        }
        return KafkaClientProcess.run(Client.class, file.toString());
    }

    /** Opens a writer and a reader, or says why not. */
    static final class Client {
        private Client() {}

        public static void main(String[] arguments) throws IOException {
            Properties settings = new Properties();
            try (var in = Files.newInputStream(Path.of(arguments[0]))) {
                settings.load(in);
            }
            Map<String, String> options = new HashMap<>();
            settings.stringPropertyNames().forEach(key -> options.put(key, settings.getProperty(key)));
            try (var transport = new KafkaProvider().open(options)) {
                transport.createTopics(List.of("quiet"));
                try (Connection connection = transport.connect()) {
                    connection.openWriter("quiet");
                    connection.openReader("quiet", "c");
                    System.out.println("opened");
                }
            } catch (RuntimeException refused) {
                refused.printStackTrace();
            }
        }
    }
}
