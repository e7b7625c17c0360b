package dev.baton.kafka.connection;

import dev.baton.kafka.KafkaOptions;
import dev.baton.kafka.client.ClientSettings;
import dev.baton.kafka.client.Cluster;
import dev.baton.kafka.log.LogScanner;
import dev.baton.kafka.read.LiveReaders;
import dev.baton.kafka.topics.ConsumerGroups;
import dev.baton.kafka.topics.ReaderClaim;
import dev.baton.kafka.topics.TopicIdMonitor;
import dev.baton.kafka.topics.Topics;
import dev.baton.kafka.topics.WatchThread;
import dev.baton.kafka.write.FencingMonitor;
import dev.baton.kafka.write.FrameProducer;
import dev.baton.kafka.write.KafkaWriter;
import dev.baton.kafka.write.LiveWriters;
import dev.baton.kafka.write.RecordedEnds;
import dev.baton.spi.Frame;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.Uuid;

/**
 * The clients, threads and registries that the connections and inspectors of one transport share. Thread-safe.
 */
public final class TransportContext implements AutoCloseable {
    /** Bytes of a record that a frame takes beyond its payload. */
    private static final int OVERHEAD_BYTES =
            Frame.HEADER_BYTES + KafkaWriter.EXTENSION_BYTES + FrameProducer.OVERHEAD_BYTES;

    private static final String CONNECTION = "-";

    private final KafkaOptions options;
    private final ClientSettings settings;
    private final String clientId;
    private final Cluster cluster;
    private final Topics topics;
    private final ConsumerGroups consumerGroups;
    private final LogScanner scanner;
    private final WatchThread watch = new WatchThread();
    private final FencingMonitor fencing;
    private final TopicIdMonitor topicIdMonitor;
    private final RecordedEnds recordedEnds;
    private final LiveWriters liveWriters = new LiveWriters();
    private final LiveReaders liveReaders = new LiveReaders();
    private final AtomicInteger clients = new AtomicInteger();

    public TransportContext(KafkaOptions options) {
        this.options = options;
        this.settings = new ClientSettings(options);
        // Unique, as Kafka registers a JVM's clients by id and claims of readers have it, and telling in a broker's
        // log.
        this.clientId = "baton-" + ProcessHandle.current().pid() + "-"
                + Integer.toHexString(Uuid.randomUuid().hashCode());
        this.cluster = new Cluster(options, settings, clientId + "-admin");
        this.topics = new Topics(cluster, options, settings);
        this.consumerGroups = new ConsumerGroups(cluster, options);
        this.scanner = newScanner("-tail");
        this.fencing = new FencingMonitor(cluster, newScanner("-rivals"), watch, options);
        this.topicIdMonitor = new TopicIdMonitor(cluster, watch, options.get(KafkaOptions.DELIVERY_TIMEOUT));
        this.recordedEnds = new RecordedEnds(cluster, topics, consumerGroups, watch);
    }

    public KafkaOptions options() {
        return options;
    }

    public ClientSettings settings() {
        return settings;
    }

    public Cluster cluster() {
        return cluster;
    }

    public Topics topics() {
        return topics;
    }

    public ConsumerGroups consumerGroups() {
        return consumerGroups;
    }

    public LogScanner scanner() {
        return scanner;
    }

    FencingMonitor fencing() {
        return fencing;
    }

    public TopicIdMonitor topicIdMonitor() {
        return topicIdMonitor;
    }

    public RecordedEnds recordedEnds() {
        return recordedEnds;
    }

    public LiveWriters liveWriters() {
        return liveWriters;
    }

    public LiveReaders liveReaders() {
        return liveReaders;
    }

    /** Returns the largest payload that fits into a record together with the header and the transport's own fields. */
    public int maxPayload() {
        return options.get(KafkaOptions.MAX_MESSAGE) - OVERHEAD_BYTES;
    }

    /** Returns a client id that no other client of this JVM has. */
    public String newClientId(String kind) {
        return clientId + kind + clients.incrementAndGet();
    }

    public KafkaConnection newConnection() {
        return new KafkaConnection(this, newClientId(CONNECTION));
    }

    /** Returns whether a connection of this transport has opened the reader of a claim. */
    public boolean hasOpened(ReaderClaim claim) {
        return claim.by().startsWith(clientId + CONNECTION);
    }

    private LogScanner newScanner(String name) {
        return new LogScanner(cluster, consumerGroups, settings, options, clientId + name);
    }

    /** Closes the clients and the thread; the order lets nothing ask a client that is closed. */
    @Override
    public void close() {
        watch.close();
        topicIdMonitor.close();
        fencing.close();
        scanner.close();
        cluster.close();
    }
}
