package dev.baton.test.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.run.Environment;
import dev.baton.spi.Connection;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Processes that are killed by another thread while theirs is within a call. */
class KilledProcessTest {
    private static final String TOPIC = "orders-0";

    private final MemoryStorage storage = new MemoryStorage();
    private final MemoryProcess next = process(TransportFaults.NONE);

    KilledProcessTest() {
        storage.create(List.of(TOPIC));
    }

    private MemoryProcess process(TransportFaults faults) {
        return new MemoryProcess(storage, Environment.system(), faults, 100);
    }

    /** A process that is killed by another thread when a call has begun; the call continues. */
    private MemoryProcess killedIn(String call, Runnable then) {
        return process(new TransportFaults() {
            @Override
            public void step(MemoryProcess process, String name) {
                if (name.equals(call) && !process.isDead()) {
                    process.kill();
                    then.run();
                }
            }
        });
    }

    private static TopicWriter writer(Connection connection) {
        return connection.beginWriter(TOPIC, "").finish();
    }

    private static void commit(TopicWriter writer) {
        assertThat(writer.claim(8)).isNotNull();
        writer.commit(8);
    }

    @Test
    void killedWriterStoresNothing() {
        Connection killed = killedIn("flush", () -> {
                    TopicWriter after = writer(next.connect());
                    commit(after);
                    after.flush();
                })
                .connect();
        TopicWriter before = writer(killed);
        commit(before);
        assertThatThrownBy(before::flush).isInstanceOf(TransportException.class);

        try (TopicInspector inspector = next.inspect(TOPIC)) {
            assertThat(inspector.newestSequence()).isEqualTo(1);
        }
    }

    @Test
    void killedProcessOccupiesNoPlaceLater() {
        Connection killed = killedIn("open writer", () -> {}).connect();
        assertThatThrownBy(() -> writer(killed)).isInstanceOf(TransportException.class);

        assertThat(writer(next.connect())).isNotNull();
    }
}
