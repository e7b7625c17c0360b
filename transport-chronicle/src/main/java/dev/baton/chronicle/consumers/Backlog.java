package dev.baton.chronicle.consumers;

import dev.baton.chronicle.log.TopicLog;
import dev.baton.spi.ConsumerLag;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.queue.impl.TableStore;

/**
 * How many frames a writer may still write before its slowest consumer is too far behind.
 *
 * <p>The consumers are those in the queue's metadata, of whatever process. Their positions are read only when the last
 * look does not answer the question, and at the latest after {@value #LOOK_EVERY} frames, which is how long a consumer
 * that is new may go unnoticed. Confined to its connection's thread.
 */
public final class Backlog {
    private static final int LOOK_EVERY = 1_024;

    private final TopicLog log;
    private final int limit;
    private final LongValue count;
    private long counted = -1; // before the last look for consumers; -1: none yet
    private LongValue[] consumers = {};
    private LongValue[] indexes = {};
    private String[] names = {}; // of the consumers

    /** The newest sequence that may be written without looking again. */
    private long until;

    public Backlog(TopicLog log, int limit) {
        this.log = log;
        this.limit = limit;
        count = TailerPosition.count(log);
    }

    /**
     * Frames that may follow.
     *
     * @param sequence the newest frame committed
     * @param wanted as many as the caller can use
     */
    public int room(long sequence, int wanted) {
        if (until - sequence < wanted) {
            until = look(sequence);
        }
        return (int) Math.max(0, Math.min(wanted, until - sequence));
    }

    private long look(long sequence) {
        if (hasNewConsumer()) {
            findConsumers();
        }
        long slowest = Long.MAX_VALUE - limit;
        for (LongValue consumer : consumers) {
            long acknowledged = consumer.getVolatileValue();
            if (!TailerPosition.isForgotten(acknowledged)) {
                slowest = Math.min(slowest, Math.max(0, acknowledged)); // less than 0: it was killed while it entered
            }
        }
        return Math.min(slowest + limit, sequence + LOOK_EVERY);
    }

    /**
     * The consumer that is furthest behind; null when none is.
     *
     * @param sequence the newest frame that is flushed
     */
    public ConsumerLag slowest(long sequence) {
        if (hasNewConsumer()) {
            findConsumers();
        }
        int slowest = -1;
        long least = sequence;
        for (int i = 0; i < consumers.length; i++) {
            long acknowledged = consumers[i].getVolatileValue();
            if (!TailerPosition.isForgotten(acknowledged) && Math.max(0, acknowledged) < least) {
                least = Math.max(0, acknowledged);
                slowest = i;
            }
        }
        return slowest < 0 ? null : new ConsumerLag(names[slowest], sequence - least);
    }

    /** Whether a consumer has come since the last look. */
    public boolean hasNewConsumer() {
        return count.getVolatileValue() != counted;
    }

    /** The excerpt that the slowest consumer goes on with, or an earlier one; 0 for the oldest, or without consumers. */
    public long slowestIndex() {
        if (hasNewConsumer()) {
            findConsumers();
        }
        long slowest = Long.MAX_VALUE;
        for (LongValue index : indexes) {
            slowest = Math.min(slowest, index.getVolatileValue());
        }
        return slowest == Long.MAX_VALUE ? 0 : slowest;
    }

    private void findConsumers() {
        long before = count.getVolatileValue(); // who enters meanwhile is looked for once more
        closeConsumers();
        log.inMetadata(store -> {
            List<String> keys = new ArrayList<>();
            store.forEachKey(keys, (found, key, value) -> found.add(key.toString()));
            keys.removeIf(TailerPosition::isObserving);
            consumers = values(store, keys, TailerPosition::isSequence);
            names = keys.stream()
                    .filter(TailerPosition::isSequence)
                    .map(TailerPosition::consumer)
                    .toArray(String[]::new);
            indexes = values(store, keys, TailerPosition::isIndex);
            return null;
        });
        counted = before;
    }

    private static LongValue[] values(TableStore<?> store, List<String> keys, Predicate<String> isWanted) {
        return keys.stream().filter(isWanted).map(store::acquireValueFor).toArray(LongValue[]::new);
    }

    public void close() {
        count.close();
        closeConsumers();
    }

    private void closeConsumers() {
        for (LongValue consumer : consumers) {
            consumer.close();
        }
        for (LongValue index : indexes) {
            index.close();
        }
    }
}
