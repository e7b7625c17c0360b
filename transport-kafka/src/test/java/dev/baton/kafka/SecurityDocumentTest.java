package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.kafka.embedded.BrokerSecurity;
import dev.baton.kafka.embedded.EmbeddedKafka;
import dev.baton.kafka.embedded.EmbeddedKafkaOptions;
import dev.baton.run.Loops;
import dev.baton.spi.errors.AccessRefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.tools.AclCommand;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What docs/kafka-security.md says to type is typed, and is enough. */
@Tag("slow")
@Timeout(180)
@Tag("long")
class SecurityDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "kafka-security.md");
    private static final String COMMAND = "kafka-acls ";

    @TempDir
    private Path temporary;

    private final Map<String, Object> administrator = new HashMap<>();

    @Test
    void documentedAclsSufficeAndAreAllNeeded() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafkaOptions.defaults()
                .withSecurity(BrokerSecurity.users("root", "xyzzy-root")
                        .withScram("baton", "xyzzy-baton")
                        .withPlain("third", "xyzzy-third")))) {
            administrator.putAll(login(kafka, "root"));
            administrator.put("bootstrap.servers", kafka.bootstrapServers());
            List<String> lines = lines(kafka);
            assertThat(lines).hasSize(7);
            List<String> whole = lines.subList(0, 2);
            String delete = lines.get(2);
            List<String> third = lines.subList(3, 7);

            for (String needed : whole) {
                whole.stream().filter(line -> !line.equals(needed)).forEach(this::run);
                assertThatThrownBy(() -> runChain(kafka, "baton", null))
                        .as("without %s", needed)
                        .isInstanceOf(AccessRefusedException.class);
                whole.stream().filter(line -> !line.equals(needed)).forEach(this::undo);
            }
            whole.forEach(this::run);
            awaitChain(kafka, "baton", null);

            for (String needed : third) {
                third.stream().filter(line -> !line.equals(needed)).forEach(this::run);
                assertThatThrownBy(() -> runChain(kafka, "third", "third"))
                        .as("without %s", needed)
                        .isInstanceOf(AccessRefusedException.class);
                third.stream().filter(line -> !line.equals(needed)).forEach(this::undo);
            }
            third.forEach(this::run);
            awaitChain(kafka, "third", "third");

            try (KafkaTransport transport = open(kafka, "baton")) {
                assertThatThrownBy(() -> transport.deleteTopics(List.of("orders-0")))
                        .hasMessageContaining("Delete on topic 'orders-0'");
                run(delete);
                Awaitility.await()
                        .pollInSameThread()
                        .atMost(Duration.ofSeconds(30))
                        .ignoreExceptionsInstanceOf(AccessRefusedException.class)
                        .until(() -> {
                            transport.deleteTopics(transport.topics());
                            return transport.topics().isEmpty();
                        });
            }
        }
    }

    /** The controller, which makes topics, learns of an ACL a little later than it is decided. */
    private static void awaitChain(EmbeddedKafka kafka, String user, String only) {
        Awaitility.await("a chain that may")
                .pollInSameThread()
                .atMost(Duration.ofSeconds(30))
                .ignoreExceptionsInstanceOf(AccessRefusedException.class)
                .until(() -> {
                    runChain(kafka, user, only);
                    return true;
                });
    }

    /** All of a chain of three, or one of its services. */
    private static void runChain(EmbeddedKafka kafka, String user, String only) {
        Chain.Builder builder = Chain.named("orders");
        for (String name : List.of("first", "second", "third")) {
            builder.then(name, () -> (in, out) -> out.forward(in));
        }
        AtomicInteger received = new AtomicInteger();
        try (KafkaTransport transport = open(kafka, user);
                Loops loops = Loops.cooperative(1)) {
            if (only == null) {
                try (RunningChain running = builder.build()
                        .on(transport)
                        .with(loops)
                        .onOutput(message -> received.incrementAndGet())
                        .start()) {
                    running.inlet().tryClaim(8).putLong(0, 1).commit(8);
                    Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> received.get() > 0);
                }
            } else {
                builder.build().on(transport).with(loops).only(only).start().close();
            }
        }
    }

    private static KafkaTransport open(EmbeddedKafka kafka, String user) {
        KafkaOptions options = KafkaOptions.at(kafka.bootstrapServers());
        for (Map.Entry<String, String> each : login(kafka, user).entrySet()) {
            options = options.withPassed("client." + each.getKey(), each.getValue());
        }
        return KafkaTransport.at(options);
    }

    private static Map<String, String> login(EmbeddedKafka kafka, String user) {
        boolean isScram = user.equals("baton");
        return Map.of(
                "security.protocol",
                "SASL_SSL",
                "sasl.mechanism",
                isScram ? "SCRAM-SHA-512" : "PLAIN",
                "sasl.jaas.config",
                "org.apache.kafka.common.security."
                        + (isScram ? "scram.ScramLoginModule" : "plain.PlainLoginModule")
                        + " required username=\"" + user + "\" password=\"xyzzy-" + user + "\";",
                "ssl.truststore.type",
                "PEM",
                "ssl.truststore.location",
                kafka.authority().orElseThrow().toString());
    }

    /** As they stand in the document, but for the broker and the administrator's login, which are this test's. */
    private List<String> lines(EmbeddedKafka kafka) throws IOException {
        Path admin = temporary.resolve("admin.properties");
        Properties settings = new Properties();
        settings.putAll(login(kafka, "root"));
        try (var out = Files.newOutputStream(admin)) {
            settings.store(out, null);
        }
        return Files.readAllLines(DOCUMENT).stream()
                .filter(line -> line.startsWith(COMMAND))
                .map(line -> line.substring(COMMAND.length())
                        .replace("broker.example:9093", kafka.bootstrapServers())
                        .replace("admin.properties", admin.toString()))
                .toList();
    }

    private void run(String line) {
        change(line.split(" "), operations(line));
    }

    private void undo(String line) {
        List<String> words = new ArrayList<>(List.of(line.split(" ")));
        words.replaceAll(word -> word.equals("--add") ? "--remove" : word);
        words.add("--force");
        change(words.toArray(String[]::new), -operations(line));
    }

    /** Waits until the broker knows of it. */
    private void change(String[] words, int difference) {
        try (Admin admin = Admin.create(administrator)) {
            int before = acls(admin);
            AclCommand.main(words);
            Awaitility.await("ACLs").atMost(Duration.ofSeconds(20)).until(() -> acls(admin) == before + difference);
        }
    }

    private static int acls(Admin admin) {
        try {
            return admin.describeAcls(AclBindingFilter.ANY)
                    .values()
                    .get(20, TimeUnit.SECONDS)
                    .size();
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    private static int operations(String line) {
        return line.split("--operation ", -1).length - 1;
    }
}
