package dev.baton.engine.writing;

import dev.baton.spi.Connection;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The writers and readers that share a connection and are opened together, in two steps: all of them are begun on the
 * connection's thread, prepared by another one, in the same order, and finished on the connection's thread again.
 *
 * <p>Confined to the connection's thread, but for {@link #prepare} and {@link #withdraw}.
 */
public final class PendingOpens {
    private final Connection connection;
    private final boolean isAtOnce;
    private final Map<String, PendingOpen<TopicWriter>> writers = new HashMap<>();
    private final Map<String, PendingOpen<TopicReader>> readers = new HashMap<>();
    private final List<PendingOpen<?>> all = new CopyOnWriteArrayList<>();

    /**
     * Begins none yet.
     *
     * @param isAtOnce whether nothing is prepared: all is opened by the connection's thread
     */
    public PendingOpens(Connection connection, boolean isAtOnce) {
        this.connection = connection;
        this.isAtOnce = isAtOnce;
    }

    /** Begins to open the one writer of a topic. */
    void beginWriter(String topic, String topology) {
        PendingOpen<TopicWriter> pending = new PendingOpen<>(
                isAtOnce
                        ? Opening.atOnce(() -> connection.openWriter(topic, topology))
                        : connection.beginWriter(topic, topology));
        writers.put(topic, pending);
        all.add(pending);
    }

    /**
     * Begins to open a reader, the only one of its topic here.
     *
     * @param from where; null: where the consumer left off
     */
    public void beginReader(String topic, String consumer, StartPosition from) {
        PendingOpen<TopicReader> pending = new PendingOpen<>(
                from == null
                        ? isAtOnce
                                ? Opening.atOnce(() -> connection.openReader(topic, consumer))
                                : connection.beginReader(topic, consumer)
                        : isAtOnce
                                ? Opening.atOnce(() -> connection.openReader(topic, consumer, from))
                                : connection.beginReader(topic, consumer, from));
        readers.put(topic, pending);
        all.add(pending);
    }

    /**
     * Does what may block for all of them. Called once, by any thread, after the last was begun. When it throws, {@link
     * #withdraw} has to follow.
     *
     * @param check run before each of them; what it throws ends this
     */
    public void prepare(Runnable check) {
        for (PendingOpen<?> each : all) {
            check.run();
            each.prepare();
        }
        check.run();
    }

    /** As {@link #prepare(Runnable)}, for a caller that waits for as long as it takes. */
    public void prepare() {
        prepare(() -> {});
    }

    public Connection connection() {
        return connection;
    }

    TopicWriter writer(String topic) {
        return writers.get(topic).finish();
    }

    public TopicReader reader(String topic) {
        return readers.get(topic).finish();
    }

    /**
     * Releases what is not finished; what another thread is preparing is released by that one. What was finished belongs
     * to the caller that did so. Any thread; idempotent.
     */
    public void withdraw() {
        RuntimeException failure = null;
        for (PendingOpen<?> each : all) {
            try {
                each.withdraw();
            } catch (RuntimeException thrown) {
                failure = thrown;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
