package dev.baton.kafka;

import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import dev.baton.tck.TransportFixture;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;

/** Topics of the shared broker; a small window, so that every test fills it. */
final class KafkaFixture implements TransportFixture {
    private static final int WINDOW = 64;

    /** A new reader, and the close of a connection, wait for the fetch in progress. */
    private static final Duration FETCH_WAIT = Duration.ofMillis(10);

    private final boolean isTransactional;
    private final boolean isFirstTransactional;

    KafkaFixture(boolean isTransactional) {
        this(isTransactional, isTransactional);
    }

    private KafkaFixture(boolean isTransactional, boolean isFirstTransactional) {
        this.isTransactional = isTransactional;
        this.isFirstTransactional = isFirstTransactional;
    }

    /** Returns the same fixture whose first transport writes without transactions. */
    KafkaFixture withPlainFirst() {
        return new KafkaFixture(isTransactional, false);
    }

    @Override
    public Transport open() {
        return KafkaTransport.at(options(isFirstTransactional));
    }

    @Override
    public Transport reopen() {
        return KafkaTransport.at(options(isTransactional));
    }

    @Override
    public Transport openAnother() {
        return KafkaTransport.at(options(isTransactional));
    }

    @Override
    public Map<String, String> openingOptions() {
        return Map.of(
                "bootstrap-servers",
                TestBroker.bootstrapServers(),
                "window",
                Integer.toString(WINDOW),
                "transactions",
                Boolean.toString(isTransactional));
    }

    @Override
    public Duration sessionTimeout() {
        return TestBroker.SESSION_TIMEOUT;
    }

    @Override
    public Duration settle() {
        return Duration.ofMillis(100);
    }

    @Override
    public List<String> refusedNames() {
        return List.of("", " ", "a/b", "..");
    }

    @Override
    public boolean keepsAcknowledgedFrames() {
        return true;
    }

    @Override
    public boolean runsServerHere() {
        return true;
    }

    @Override
    public boolean removesFrames() {
        return true;
    }

    /** A position is an offset. */
    private long offsetBehind(String topic, long sequence) {
        long[] offset = {-1};
        try (Transport transport = open();
                TopicInspector inspector = transport.inspect(topic)) {
            FrameHandler search = (frame, position) -> {
                offset[0] = frame.sequence() == sequence ? position + 1 : offset[0];
                return Verdict.DONE;
            };
            while (offset[0] < 0 && inspector.read(search, 1) > 0) {
                // the next one
            }
        }
        return offset[0];
    }

    @Override
    public void removeFrames(String topic, long upTo) {
        try (Admin admin =
                Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, TestBroker.bootstrapServers()))) {
            admin.deleteRecords(Map.of(
                            new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(offsetBehind(topic, upTo))))
                    .all()
                    .get();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public OptionalInt backlog() {
        return OptionalInt.empty();
    }

    @Override
    public boolean holdsForeignRecords() {
        return true;
    }

    @Override
    public void writeForeignRecord(String topic) {
        try {
            ForeignRecordTest.produce(topic, "another program's".getBytes(StandardCharsets.UTF_8));
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public int manyFrames() {
        return isTransactional ? 2_000 : 100 * WINDOW;
    }

    @Override
    public void close() {
        // the broker is everybody's
    }

    private static KafkaOptions options(boolean isTransactional) {
        return KafkaOptions.at(TestBroker.bootstrapServers())
                .with(KafkaOptions.WINDOW, WINDOW)
                .with(KafkaOptions.FETCH_WAIT, FETCH_WAIT)
                .with(KafkaOptions.TRANSACTIONS, isTransactional);
    }
}
