package dev.baton.kafka;

import dev.baton.spi.Transport;
import dev.baton.tck.TransportFixture;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Topics of the shared broker; a small window, so that every test fills it. */
final class KafkaFixture implements TransportFixture {
    private static final int WINDOW = 64;

    private final boolean isTransactional;

    KafkaFixture(boolean isTransactional) {
        this.isTransactional = isTransactional;
    }

    @Override
    public Transport open() {
        return KafkaTransport.at(TestBroker.bootstrapServers(), options());
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

    private KafkaOptions options() {
        return KafkaOptions.at(TestBroker.bootstrapServers())
                .withWrite(write -> write.withWindow(WINDOW).withTransactions(isTransactional));
    }
}
