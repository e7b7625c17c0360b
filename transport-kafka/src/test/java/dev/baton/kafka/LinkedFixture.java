package dev.baton.kafka;

import dev.baton.kafka.embedded.BrokerCluster;
import dev.baton.kafka.embedded.FaultyLink;
import dev.baton.spi.Transport;
import dev.baton.tck.NetworkFault;
import dev.baton.tck.TransportFixture;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.awaitility.Awaitility;

/** Topics of a broker that is reached through a link which breaks, and which refuses writes on request. */
final class LinkedFixture implements TransportFixture {
    private static final long ADMIN_SECONDS = 30;

    private final BrokerCluster broker;
    private final Collection<String> topics = new ConcurrentLinkedQueue<>();
    private boolean isRefusing;

    LinkedFixture(BrokerCluster broker) {
        this.broker = broker;
    }

    @Override
    public Transport open() {
        return KafkaTransport.at(KafkaOptions.at(broker.bootstrapServers())
                .with(KafkaOptions.TIMEOUT, Duration.ofSeconds(5))
                .with(KafkaOptions.DELIVERY_TIMEOUT, Duration.ofMillis(1_500)));
    }

    @Override
    public Transport reopen() {
        return open();
    }

    @Override
    public Transport openAnother() {
        return open();
    }

    @Override
    public String newTopic() {
        String name = TransportFixture.super.newTopic();
        topics.add(name);
        return name;
    }

    @Override
    public OptionalInt backlog() {
        return OptionalInt.empty();
    }

    @Override
    public Duration settle() {
        return Duration.ofMillis(100);
    }

    @Override
    public boolean keepsAcknowledgedFrames() {
        return true;
    }

    @Override
    public Set<NetworkFault> networkFaults() {
        return EnumSet.allOf(NetworkFault.class);
    }

    /** The time in which a frame is delivered or given up, and a request for the producer's next number. */
    @Override
    public Duration reportedWithin() {
        return Duration.ofSeconds(15);
    }

    @Override
    public Duration blocksAtMost() {
        return Duration.ofSeconds(30);
    }

    @Override
    public void begin(NetworkFault fault) {
        FaultyLink link = broker.linkToClients(0);
        switch (fault) {
            case BROKEN_LINKS -> {
                link.hold();
                link.reset();
            }
            case STALLED_SERVER -> link.hold();
            case REFUSED_WRITES -> {
                isRefusing = true;
                limitMessages("1"); // which no frame is short enough for
            }
        }
    }

    @Override
    public void heal() {
        broker.linkToClients(0).heal();
        if (isRefusing) {
            limitMessages("");
            isRefusing = false;
        }
        administrate(admin -> admin.describeCluster().nodes().get(ADMIN_SECONDS, TimeUnit.SECONDS));
    }

    @Override
    public void close() {
        // the broker is that of all tests of the class
    }

    /** Sets the most bytes of a message of every topic of this test, or the broker's own; returns when the broker has it. */
    private void limitMessages(String bytes) {
        administrate(admin -> {
            Set<String> existing = admin.listTopics().names().get(ADMIN_SECONDS, TimeUnit.SECONDS);
            List<ConfigResource> changed = topics.stream()
                    .filter(existing::contains)
                    .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                    .toList();
            AlterConfigOp change = new AlterConfigOp(
                    new ConfigEntry(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, bytes),
                    bytes.isEmpty() ? AlterConfigOp.OpType.DELETE : AlterConfigOp.OpType.SET);
            admin.incrementalAlterConfigs(
                            changed.stream().collect(Collectors.toMap(each -> each, each -> List.of(change))))
                    .all()
                    .get(ADMIN_SECONDS, TimeUnit.SECONDS);
            Awaitility.await().atMost(Duration.ofSeconds(ADMIN_SECONDS)).until(() -> isSet(admin, changed, bytes));
            return null;
        });
    }

    private static boolean isSet(Admin admin, List<ConfigResource> topics, String bytes) throws Exception {
        return admin.describeConfigs(topics).all().get(ADMIN_SECONDS, TimeUnit.SECONDS).values().stream()
                .map(config -> config.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG))
                .allMatch(entry -> bytes.equals(entry.value()) || bytes.isEmpty() && entry.isDefault());
    }

    private interface Administration {
        Object run(Admin admin) throws Exception;
    }

    private void administrate(Administration administration) {
        try (Admin admin =
                Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers()))) {
            administration.run(admin);
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }
}
