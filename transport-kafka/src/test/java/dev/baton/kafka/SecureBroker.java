package dev.baton.kafka;

import dev.baton.kafka.embedded.BrokerSecurity;
import dev.baton.kafka.embedded.EmbeddedKafka;
import dev.baton.kafka.embedded.EmbeddedKafkaOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.awaitility.Awaitility;

/** A broker that wants TLS and a login, and allows nothing that no ACL allows. Thread-safe. */
final class SecureBroker implements AutoCloseable {
    static final String ROOT = "root";
    static final String PAT = "pat"; // logs in with PLAIN
    static final String SAM = "sam"; // logs in with SCRAM-SHA-512
    private static final Map<String, String> PASSWORDS = Map.of(ROOT, "xyzzy-root", PAT, "xyzzy-pat", SAM, "xyzzy-sam");
    private static final long LIMIT_SECONDS = 20;

    private final EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafkaOptions.defaults()
            .withSecurity(BrokerSecurity.users(ROOT, password(ROOT))
                    .withPlain(PAT, password(PAT))
                    .withScram(SAM, password(SAM))));

    static String password(String user) {
        return PASSWORDS.get(user);
    }

    String servers() {
        return kafka.bootstrapServers();
    }

    int port() {
        return Integer.parseInt(servers().substring(servers().indexOf(':') + 1));
    }

    Path authority() {
        return kafka.authority().orElseThrow();
    }

    /** What somebody passes to Kafka to log in with the right password. */
    Map<String, String> login(String user) {
        return login(user, password(user));
    }

    Map<String, String> login(String user, String password) {
        boolean isScram = user.equals(SAM);
        return Map.of(
                "client.security.protocol",
                "SASL_SSL",
                "client.sasl.mechanism",
                isScram ? "SCRAM-SHA-512" : "PLAIN",
                "client.sasl.jaas.config",
                "org.apache.kafka.common.security."
                        + (isScram ? "scram.ScramLoginModule" : "plain.PlainLoginModule")
                        + " required username=\"" + user + "\" password=\"" + password + "\";",
                "client.ssl.truststore.type",
                "PEM",
                "client.ssl.truststore.location",
                authority().toString());
    }

    KafkaTransport open(Map<String, String> passed) {
        return open(servers(), passed, options -> options);
    }

    KafkaTransport open(String servers, Map<String, String> passed, UnaryOperator<KafkaOptions> change) {
        KafkaOptions options = change.apply(KafkaOptions.at(servers));
        for (Map.Entry<String, String> each : passed.entrySet()) {
            options = options.withPassed(each.getKey(), each.getValue());
        }
        return KafkaTransport.at(options);
    }

    /** Allows a user operations on everything of a kind whose name begins so. */
    void allow(String user, ResourceType kind, String prefix, AclOperation... operations) {
        List<AclBinding> wanted = Stream.of(operations)
                .map(operation -> binding(user, kind, prefix, operation))
                .toList();
        asRoot(admin -> admin.createAcls(wanted).all());
        awaitAcls(held -> held.containsAll(wanted));
    }

    void withdraw(String user, ResourceType kind, String prefix, AclOperation operation) {
        AclBinding unwanted = binding(user, kind, prefix, operation);
        asRoot(admin -> admin.deleteAcls(List.of(unwanted.toFilter())).all());
        awaitAcls(held -> !held.contains(unwanted));
    }

    void withdrawAll() {
        asRoot(admin -> admin.deleteAcls(List.of(AclBindingFilter.ANY)).all());
        awaitAcls(Collection::isEmpty);
    }

    /** What the controller has decided reaches the broker a little later. */
    private void awaitAcls(Predicate<Collection<AclBinding>> expected) {
        Awaitility.await("ACLs")
                .atMost(Duration.ofSeconds(LIMIT_SECONDS))
                .until(() -> expected.test(
                        asRoot(admin -> admin.describeAcls(AclBindingFilter.ANY).values())));
    }

    private <T> T asRoot(Function<Admin, KafkaFuture<T>> order) {
        Map<String, Object> settings = new HashMap<>();
        login(ROOT).forEach((key, value) -> settings.put(key.substring("client.".length()), value));
        settings.put("bootstrap.servers", servers());
        try (Admin admin = Admin.create(settings)) {
            return order.apply(admin).get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    private static AclBinding binding(String user, ResourceType kind, String prefix, AclOperation operation) {
        return new AclBinding(
                new ResourcePattern(
                        kind, prefix, kind == ResourceType.CLUSTER ? PatternType.LITERAL : PatternType.PREFIXED),
                new AccessControlEntry("User:" + user, "*", operation, AclPermissionType.ALLOW));
    }

    @Override
    public void close() {
        kafka.close();
    }
}
