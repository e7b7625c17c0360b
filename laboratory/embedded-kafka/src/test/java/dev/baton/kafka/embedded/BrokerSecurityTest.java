package dev.baton.kafka.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A secured cluster accepts permitted clients, refuses others, and shows no password. */
@Tag("slow")
@Tag("long")
@Timeout(120)
class BrokerSecurityTest {
    private static final String SECRET = "xyzzy-8";
    private static final BrokerSecurity USERS = BrokerSecurity.users("root", SECRET + "a")
            .withPlain("pat", SECRET + "b")
            .withScram("sam", SECRET + "c");

    @Test
    void onlyTheAdministratorIsPermittedByDefault() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(options())) {
            Path authority = kafka.authority().orElseThrow();
            client(kafka.bootstrapServers(), authority, "PLAIN", "root", SECRET + "a")
                    .createTopic("topic", 1);
            for (TestClient other : new TestClient[] {
                client(kafka.bootstrapServers(), authority, "PLAIN", "pat", SECRET + "b"),
                client(kafka.bootstrapServers(), authority, "SCRAM-SHA-512", "sam", SECRET + "c")
            }) {
                assertThat(other.brokers()).as("logged in").isEqualTo(1);
                assertThatThrownBy(() -> other.createTopic("other", 1))
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(TopicAuthorizationException.class);
            }
            assertThatThrownBy(client(kafka.bootstrapServers(), authority, "PLAIN", "root", "wrong")::brokers)
                    .hasCauseInstanceOf(SaslAuthenticationException.class);
        }
    }

    @Test
    void withoutUsersItIsEncryptedAndOpen() throws Exception {
        try (EmbeddedKafka kafka =
                EmbeddedKafka.start(EmbeddedKafkaOptions.defaults().withSecurity(BrokerSecurity.tls()))) {
            Path authority = kafka.authority().orElseThrow();
            assertThat(new TestClient(
                                    kafka.bootstrapServers(),
                                    Map.of(
                                            "security.protocol", "SSL",
                                            "ssl.truststore.type", "PEM",
                                            "ssl.truststore.location", authority.toString()))
                            .brokers())
                    .isEqualTo(1);
        }
    }

    @Test
    void securedProcessHidesPasswordsAndRestarts() throws Exception {
        EmbeddedKafkaOptions kafka = options().withProperty("ssl.cipher.suites.note", SECRET);
        try (BrokerCluster broker = BrokerCluster.start(
                BrokerProcessOptions.defaults().withKafka(kafka).withJvmFlags(List.of("-XX:TieredStopAtLevel=1")))) {
            String shown =
                    Files.readString(Path.of("/proc/" + broker.pid(0) + "/cmdline"), StandardCharsets.ISO_8859_1);

            assertThat(shown).contains("EmbeddedKafkaMain").doesNotContain(SECRET);
            assertThat(client(
                                    broker.bootstrapServers(),
                                    broker.authority().orElseThrow(),
                                    "SCRAM-SHA-512",
                                    "sam",
                                    SECRET + "c")
                            .brokers())
                    .isEqualTo(1);
            assertThat(broker.lastOutput(0)).doesNotContain(SECRET);

            broker.kill(0);
            broker.restart(0);
            assertThat(client(broker.bootstrapServers(), broker.authority().orElseThrow(), "PLAIN", "pat", SECRET + "b")
                            .brokers())
                    .isEqualTo(1);
        }
    }

    @Test
    void threeSecuredNodesLogInToEachOther() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(options().withNodes(3))) {
            TestClient root =
                    client(kafka.bootstrapServers(), kafka.authority().orElseThrow(), "PLAIN", "root", SECRET + "a");
            root.createTopic("replicated", 3);
            root.write("replicated", "value");
            assertThat(root.readFirst("replicated")).isEqualTo("value");
        }
    }

    @Test
    void certificateIsPrivateAndAuthorityKeyDeleted(@TempDir Path temporary) throws Exception {
        Path directory =
                WorkDirectory.of(Optional.of(temporary.resolve("made"))).path();
        BrokerCertificate made = BrokerCertificate.make(directory);

        KeyStore store =
                KeyStore.getInstance(made.keyStore().toFile(), made.password().toCharArray());
        assertThat(store.isKeyEntry("broker")).isTrue();
        assertThat(store.containsAlias("authority")).isFalse();
        assertThat(store.getCertificateChain("broker")).hasSize(2);
        assertThat(Files.readString(made.authority())).startsWith("-----BEGIN CERTIFICATE-----");
        assertThat(permissions(directory)).isEqualTo("rwx------");
    }

    @Test
    void noTextOfTheOptionsShowsAPassword() {
        assertThat(options().withProperty("some.password", SECRET).toString())
                .contains("root", "pat", "sam", "some.password")
                .doesNotContain(SECRET);
        assertThatThrownBy(() -> USERS.withPlain("eve", SECRET + "\""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("eve")
                .hasMessageNotContaining(SECRET);
        assertThatThrownBy(() -> new BrokerSecurity("nobody", Map.of("pat", SECRET), Map.of()))
                .hasMessageContaining("administrator 'nobody' has no password");
    }

    @Test
    void logDirectoryIsPrivate(@TempDir Path temporary) throws IOException {
        Path wanted = temporary.resolve("made");
        try (EmbeddedKafka kafka =
                EmbeddedKafka.start(EmbeddedKafkaOptions.defaults().withDirectory(wanted))) {
            assertThat(kafka.authority()).isEmpty();
        }
        assertThat(permissions(wanted)).isEqualTo("rwx------");
        try (Stream<Path> inside = Files.list(wanted)) {
            assertThat(inside).isNotEmpty();
        }
    }

    private static EmbeddedKafkaOptions options() {
        return EmbeddedKafkaOptions.defaults().withSecurity(USERS);
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static TestClient client(String servers, Path authority, String mechanism, String user, String password) {
        String module = mechanism.equals("PLAIN") ? "plain.PlainLoginModule" : "scram.ScramLoginModule";
        return new TestClient(
                servers,
                Map.of(
                        "security.protocol",
                        "SASL_SSL",
                        "sasl.mechanism",
                        mechanism,
                        "sasl.jaas.config",
                        "org.apache.kafka.common.security." + module + " required username=\"" + user + "\" password=\""
                                + password + "\";",
                        "ssl.truststore.type",
                        "PEM",
                        "ssl.truststore.location",
                        authority.toString()));
    }
}
