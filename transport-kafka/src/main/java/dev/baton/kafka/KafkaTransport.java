package dev.baton.kafka;

import dev.baton.kafka.admin.ConsumerRemoval;
import dev.baton.kafka.admin.KafkaInspector;
import dev.baton.kafka.client.ClientsVersion;
import dev.baton.kafka.client.Cluster;
import dev.baton.kafka.connection.TransportContext;
import dev.baton.kafka.topics.KafkaMembership;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.spi.Connection;
import dev.baton.spi.Guarantee;
import dev.baton.spi.PartitionGroup;
import dev.baton.spi.PartitionGroup.GroupMembership;
import dev.baton.spi.PartitionGroup.PartitionListener;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Topics on an Apache Kafka cluster: one partition each, one record for each frame. The partitions of a topic ({@code
 * name@k}) are those of one topic of Kafka's.
 *
 * <p>Calls that may block do so for the options' timeout at most; their exceptions name the broker that did not answer.
 * Names of topics are Kafka's: letters, digits, '.', '_' and '-', up to 249. A second live writer of a topic is refused
 * within this transport. Of writers in several processes the newest wins: readers drop what an older one stores after
 * the newer one has begun, and the older one fails with a {@link dev.baton.spi.errors.ReplacedException}.
 *
 * <p>Thread-safe; its connections are not.
 */
public final class KafkaTransport implements Transport {
    static final String NAME = "kafka";

    private final TransportContext context;
    private volatile boolean isClosed;

    private KafkaTransport(KafkaOptions options) {
        this.context = new TransportContext(options);
    }

    /**
     * Creates a transport with the default options. Does not connect yet.
     *
     * @param bootstrapServers {@code host:port}, several with commas
     * @return the transport, to be closed by the caller
     */
    public static KafkaTransport at(String bootstrapServers) {
        return at(KafkaOptions.at(bootstrapServers));
    }

    /**
     * Creates a transport over the cluster that the options name. Does not connect yet.
     *
     * @param options of all connections
     * @return the transport, to be closed by the caller
     * @throws dev.baton.spi.errors.TransportException when the kafka-clients on the class path are of a version that cannot be
     *     used; the message names the one that is needed
     */
    public static KafkaTransport at(KafkaOptions options) {
        ClientsVersion.check();
        return new KafkaTransport(options);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<Guarantee> guarantees() {
        return KafkaProperties.guarantees();
    }

    @Override
    public Set<StartPosition.Kind> startPositions() {
        return EnumSet.allOf(StartPosition.Kind.class);
    }

    @Override
    public int maxPayload() {
        return context.maxPayload();
    }

    @Override
    public Map<String, String> properties() {
        return KafkaProperties.of(context.options(), context.topics().replicas());
    }

    /** Opens a connection when a broker answers, or did so when last asked; waits for one for the options' timeout. */
    @Override
    public Connection connect() {
        checkOpen();
        Cluster cluster = context.cluster();
        if (!cluster.isReachable()) {
            cluster.ask(
                    "connect",
                    cluster.deadline(),
                    admin -> admin.describeCluster().clusterId());
        }
        return context.newConnection();
    }

    @Override
    public TopicInspector inspect(String topic) {
        checkOpen();
        return new KafkaInspector(context, topic);
    }

    @Override
    public boolean sharesPartitions() {
        return true;
    }

    @Override
    public GroupMembership join(PartitionGroup group, PartitionListener holder) {
        checkOpen();
        return KafkaMembership.join(
                group,
                holder,
                context.options(),
                context.settings(),
                context.topicIdMonitor(),
                context.newClientId("-member-"));
    }

    /**
     * Creates topics with the options' replication, in one request, and waits for their leaders: one partition each,
     * and {@code name@0} to {@code name@7} together as one topic of eight.
     */
    @Override
    public Set<String> createTopics(Collection<String> names) {
        checkOpen();
        return context.topics().create(names);
    }

    @Override
    public Set<String> topics() {
        checkOpen();
        return context.topics().list();
    }

    @Override
    public Set<String> existing(Set<String> names) {
        checkOpen();
        return context.topics().existing(names);
    }

    @Override
    public void deleteTopics(Collection<String> names) {
        checkOpen();
        context.liveWriters().requireNone(names);
        names.forEach(name -> context.liveReaders().requireNone(TopicNames.partitionOf(name)));
        context.topics().delete(names, context.consumerGroups());
        context.liveWriters().forget(names);
    }

    /**
     * Watches for two seconds whether the consumer's position moves, unless its last reader was one of this transport, and
     * removes it if not.
     */
    @Override
    public boolean forgetConsumer(String topic, String consumer) {
        checkOpen();
        return new ConsumerRemoval(context, topic, consumer).forget();
    }

    @Override
    public void close() {
        isClosed = true;
        context.close();
    }

    TransportContext context() {
        return context;
    }

    private void checkOpen() {
        if (isClosed) {
            throw new IllegalStateException("the Kafka transport is closed");
        }
    }
}
