package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.baton.kafka.embedded.BrokerSecurity;
import dev.baton.kafka.embedded.EmbeddedKafka;
import dev.baton.kafka.embedded.EmbeddedKafkaOptions;
import dev.baton.spi.Connection;
import dev.baton.spi.errors.AccessRefusedException;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.Turns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A login over TLS opens the door, and whatever is wrong with it is told at once, by its name, and without a secret. */
@Tag("slow")
@Tag("long")
@Timeout(120)
class AccessTest {
    private static final String JAAS = "client.sasl.jaas.config";
    private static final String PROTOCOL = "client.security.protocol";
    private static final String TRUST_STORE = "client.ssl.truststore.location";

    /** How long a broker that is away would be waited for. */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** Well below it, and still fine on a machine that builds six other things. */
    private static final Duration PROMPT = Duration.ofSeconds(10);

    private static SecureBroker broker;

    @TempDir
    private Path temporary;

    @BeforeAll
    static void start() {
        broker = new SecureBroker();
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    /** What can be wrong with a connection, and what the text has to name. */
    private enum Wrong {
        PASSWORD(JAAS, "refused the login") {
            @Override
            void make(Map<String, String> passed) {
                passed.putAll(broker.login(SecureBroker.PAT, "xyzzy-wrong"));
            }
        },
        SCRAM_PASSWORD(JAAS, "refused the login") {
            @Override
            void make(Map<String, String> passed) {
                passed.putAll(broker.login(SecureBroker.SAM, "xyzzy-wrong"));
            }
        },
        USER(JAAS, "refused the login") {
            @Override
            void make(Map<String, String> passed) {
                passed.putAll(broker.login("xyzzy-nobody", "xyzzy-pat"));
            }
        },
        MECHANISM("client.sasl.mechanism", "SCRAM-SHA-256") {
            @Override
            void make(Map<String, String> passed) {
                passed.putAll(broker.login(SecureBroker.SAM));
                passed.put("client.sasl.mechanism", "SCRAM-SHA-256");
            }
        },
        NO_TRUST(TRUST_STORE, "signed by nobody") {
            @Override
            void make(Map<String, String> passed) {
                passed.remove(TRUST_STORE);
                passed.remove("client.ssl.truststore.type");
            }
        },
        NO_TRUST_STORE(TRUST_STORE, "/nowhere.pem") {
            @Override
            void make(Map<String, String> passed) {
                passed.put(TRUST_STORE, "/nowhere.pem");
            }
        },
        TRUST_STORE_TYPE(TRUST_STORE, "JKS") {
            @Override
            void make(Map<String, String> passed) {
                passed.put("client.ssl.truststore.type", "JKS");
                passed.put("client.ssl.truststore.password", "xyzzy-trust");
            }
        },
        HOST("bootstrap-servers", "localhost") {
            @Override
            String host() {
                return "localhost";
            }
        },
        PLAINTEXT(PROTOCOL, "speaks TLS") {
            @Override
            void make(Map<String, String> passed) {
                passed.clear();
            }
        },
        SASL_PLAINTEXT(PROTOCOL, "speaks TLS") {
            @Override
            void make(Map<String, String> passed) {
                passed.put(PROTOCOL, "SASL_PLAINTEXT");
            }
        },
        NO_LOGIN(PROTOCOL, "wants a login") {
            @Override
            void make(Map<String, String> passed) {
                passed.put(PROTOCOL, "SSL");
            }
        },
        TLS_WITHOUT_LOGIN_SETTING(JAAS, "is not set") {
            @Override
            void make(Map<String, String> passed) {
                passed.remove(JAAS);
            }
        },
        LOGIN_THAT_IS_NONE(JAAS, "is not understood") {
            @Override
            void make(Map<String, String> passed) {
                passed.put(JAAS, passed.get(JAAS).replace("password=\"xyzzy-pat\";", "password xyzzy-pat;"));
            }
        },
        OPEN_QUOTES(JAAS, "is not understood") {
            @Override
            void make(Map<String, String> passed) {
                passed.put(JAAS, passed.get(JAAS).replace("\";", " x;"));
            }
        },
        NO_MECHANISM("client.sasl.mechanism", JAAS) {
            @Override
            void make(Map<String, String> passed) {
                passed.remove("client.sasl.mechanism");
            }
        };

        private final List<String> told;

        Wrong(String... told) {
            this.told = List.of(told);
        }

        /** Spoils a login that is right. */
        void make(Map<String, String> passed) {}

        String host() {
            return "127.0.0.1";
        }

        KafkaTransport open(int port) {
            Map<String, String> passed = new HashMap<>(broker.login(SecureBroker.PAT));
            make(passed);
            return broker.open(host() + ":" + port, passed, options -> options.with(KafkaOptions.TIMEOUT, TIMEOUT));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {SecureBroker.PAT, SecureBroker.SAM})
    void loginWithItsAclsWritesReadsAndContinues(String user) {
        String topic = "mine-" + user;
        allowAll(user);
        for (int run = 0; run < 2; run++) {
            try (KafkaTransport transport = broker.open(broker.login(user))) {
                transport.createTopics(List.of(topic));
                assertThat(transport.topics()).contains(topic);
                try (Connection connection = transport.connect()) {
                    TopicProbe probe = new TopicProbe(topic, connection, turns(connection));
                    probe.reader();
                    probe.write("a" + run, "b" + run);
                    assertThat(probe.take(2)).containsExactly("a" + run, "b" + run);
                }
            }
        }
        try (KafkaTransport transport = broker.open(broker.login(user))) {
            transport.deleteTopics(List.of(topic));
            assertThat(transport.topics()).doesNotContain(topic);
        }
    }

    @ParameterizedTest
    @EnumSource(Wrong.class)
    void mistakesAreReportedPromptlyWithSettingNotSecret(Wrong wrong) {
        try (KafkaTransport transport = wrong.open(broker.port())) {
            long start = System.nanoTime();
            Throwable refused = catchThrowable(transport::connect);

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PROMPT);
            assertThat(refused).isInstanceOf(AccessRefusedException.class);
            assertThat(refused.getMessage().lines()).hasSize(1);
            assertThat(refused.getMessage()).contains(wrong.told);
            for (Throwable each = refused; each != null; each = each.getCause()) {
                assertThat(String.valueOf(each.getMessage())).doesNotContain("xyzzy");
            }
        }
    }

    @Test
    void unknownProtocolIsRefusedBeforeAnythingOpens() {
        Map<String, String> passed = new HashMap<>(broker.login(SecureBroker.PAT));
        passed.put(PROTOCOL, "TLS");

        assertThatThrownBy(() -> broker.open("127.0.0.1:" + broker.port(), passed, options -> options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'" + PROTOCOL + "' is refused", "TLS", "SASL_SSL")
                .hasMessageNotContaining("xyzzy");
    }

    @Test
    void nobodyKnocksAgainAfterARefusal() throws IOException {
        List<KafkaTransport> open = new ArrayList<>();
        try (CountingForwarder front = new CountingForwarder(broker.port())) {
            for (Wrong wrong : Wrong.values()) {
                open.add(wrong.open(front.port()));
                assertThat(catchThrowable(open.get(open.size() - 1)::connect)).isNotNull();
            }
            long before = front.connections();
            assertThat(before)
                    .as("connections made by %d clients until they were refused", Wrong.values().length)
                    .isBetween(1L, 8L * Wrong.values().length);
            Awaitility.await("two seconds without a knock")
                    .during(Duration.ofSeconds(2))
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> front.connections() - before <= Wrong.values().length);
        } finally {
            open.forEach(KafkaTransport::close);
        }
    }

    @Test
    void tlsWithoutLoginSufficesWhereNoneIsRequired() {
        try (EmbeddedKafka tls =
                EmbeddedKafka.start(EmbeddedKafkaOptions.defaults().withSecurity(BrokerSecurity.tls()))) {
            Map<String, String> passed = new HashMap<>(Map.of(
                    PROTOCOL,
                    "SSL",
                    "client.ssl.truststore.type",
                    "PEM",
                    TRUST_STORE,
                    tls.authority().orElseThrow().toString()));
            try (KafkaTransport transport = broker.open(tls.bootstrapServers(), passed, options -> options)) {
                transport.createTopics(List.of("encrypted"));
            }
            try (KafkaTransport open = broker.open(tls.bootstrapServers(), Map.of(), options -> options)) {
                assertThatThrownBy(open::connect).hasMessageContainingAll("speaks TLS", "SSL or SASL_SSL");
            }
            passed.put(PROTOCOL, "SASL_SSL");
            passed.put("client.sasl.mechanism", "PLAIN");
            passed.put(JAAS, broker.login(SecureBroker.PAT).get(JAAS));
            try (KafkaTransport login = broker.open(tls.bootstrapServers(), passed, options -> options)) {
                assertThatThrownBy(login::connect)
                        .isInstanceOf(AccessRefusedException.class)
                        .hasMessageContaining(PROTOCOL);
            }
        }
    }

    @Test
    void tlsAtABrokerWithoutTlsIsReported() {
        try (KafkaTransport transport =
                broker.open(TestBroker.bootstrapServers(), broker.login(SecureBroker.PAT), options -> options)) {
            assertThatThrownBy(transport::connect)
                    .isInstanceOf(AccessRefusedException.class)
                    .hasMessageContainingAll("speaks no TLS", PROTOCOL + " has to be PLAINTEXT");
        }
    }

    @Test
    void missingAclsAreNamedWithOperationAndResource() {
        String user = SecureBroker.PAT;
        broker.withdrawAll();
        try (KafkaTransport root = broker.open(broker.login(SecureBroker.ROOT));
                KafkaTransport transport = broker.open(broker.login(user))) {
            root.createTopics(List.of("acl-1"));
            Map<String, Runnable> needed = new LinkedHashMap<>();
            try (Connection connection = transport.connect()) {
                needed.put("Create on topic 'acl-2'", () -> transport.createTopics(List.of("acl-2")));
                needed.put("Describe on topic 'acl-1'", () -> connection.openWriter("acl-1"));
                needed.forEach(AccessTest::assertNeeds);
                broker.allow(user, ResourceType.TOPIC, "acl-", AclOperation.DESCRIBE);
                transport.createTopics(List.of("acl-1")); // it is there: nothing to create

                needed.clear();
                needed.put("Write on topic 'acl-1'", () -> connection.openWriter("acl-1"));
                needed.put("Read on topic 'acl-1'", () -> connection.openReader("acl-1", "c"));
                needed.put("Read on topic 'acl-1' ", () -> transport.inspect("acl-1"));
                needed.put("Delete on topic 'acl-1'", () -> transport.deleteTopics(List.of("acl-1")));
                needed.forEach(AccessTest::assertNeeds);

                broker.allow(user, ResourceType.TOPIC, "acl-", AclOperation.READ, AclOperation.WRITE);
                assertNeeds("Describe on group 'baton.c'", () -> connection.openReader("acl-1", "c"));

                broker.allow(user, ResourceType.GROUP, "baton.", AclOperation.DESCRIBE);
                TopicProbe probe = new TopicProbe("acl-1", connection, turns(connection));
                probe.write("a");
                probe.take(1);
                assertNeeds("Read on group 'baton.", () -> turns(connection).until("a refusal", () -> false));
            } catch (AccessRefusedException positionsAtClose) {
                assertThat(positionsAtClose).hasMessageContaining("Read on group");
            }
            root.deleteTopics(List.of("acl-1"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"keystore", "truststore"})
    void aStoreWithTheWrongPasswordIsNamed(String store) throws IOException {
        Path file = Files.writeString(temporary.resolve("store.p12"), "hello");
        Map<String, String> passed = new HashMap<>(broker.login(SecureBroker.PAT));
        passed.put("client.ssl." + store + ".location", file.toString());
        passed.put("client.ssl." + store + ".type", "PKCS12");
        passed.put("client.ssl." + store + ".password", "xyzzy-store");
        try (KafkaTransport transport = broker.open(passed)) {
            assertThatThrownBy(transport::connect)
                    .isInstanceOf(AccessRefusedException.class)
                    .hasMessageContainingAll(file.toString(), "client.ssl." + store + ".location")
                    .hasMessageNotContaining("xyzzy");
        }
    }

    private static void assertNeeds(String permission, Runnable action) {
        long start = System.nanoTime();
        assertThatThrownBy(action::run)
                .as(permission)
                .isInstanceOf(AccessRefusedException.class)
                .hasMessageContaining("needs an ACL that allows " + permission.strip());
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PROMPT);
    }

    private static void allowAll(String user) {
        broker.allow(
                user,
                ResourceType.TOPIC,
                "mine-",
                AclOperation.CREATE,
                AclOperation.READ,
                AclOperation.WRITE,
                AclOperation.DELETE);
        broker.allow(user, ResourceType.GROUP, "baton.", AclOperation.READ);
    }

    private static Turns turns(Connection connection) {
        return new Turns(Duration.ofSeconds(20), connection);
    }
}
