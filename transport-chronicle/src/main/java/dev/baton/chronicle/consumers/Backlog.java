package dev.baton.chronicle.consumers;

import dev.baton.chronicle.format.StoredPosition;
import dev.baton.chronicle.log.TopicLog;
import dev.baton.spi.TopicWriter.ConsumerLag;
import java.util.List;
import net.openhft.chronicle.core.values.LongValue;

/**
 * The number of frames that a writer may still write before its slowest consumer is too far behind.
 *
 * <p>The consumers are those in the queue's metadata, of all processes. Their positions are read only when the last
 * reading does not suffice, and at the latest after {@value #READ_EVERY} frames or a batch that is larger, the time that
 * a new consumer may go unnoticed. A consumer without a position, because it is being opened or was killed at that, counts
 * where it will begin: at what was freed. Confined to its connection's thread.
 */
public final class Backlog {
    private static final int READ_EVERY = 1_024;

    private final TopicLog log;
    private final int limit;
    private final LongValue count;
    private final StoredPosition freed;
    private long counted = -1; // before the last search for consumers; -1: none yet
    private StoredPosition[] consumers = {};
    private String[] keys = {}; // of the consumers

    /** The newest sequence that may be written before positions are read again. */
    private long until;

    public Backlog(TopicLog log, int limit) {
        this.log = log;
        this.limit = limit;
        count = TailerPosition.count(log);
        freed = log.freedPosition();
    }

    /**
     * Returns the number of frames that may follow, up to {@code wanted}.
     *
     * @param sequence the newest frame committed
     */
    public int room(long sequence, int wanted) {
        if (until - sequence < wanted) {
            until = Math.max(until, readPositions(sequence, wanted)); // what was promised once remains
        }
        return (int) Math.max(0, Math.min(wanted, until - sequence));
    }

    private long readPositions(long sequence, int wanted) {
        if (hasNewConsumer()) {
            findConsumers();
        }
        long slowest = Long.MAX_VALUE - limit;
        for (int i = 0; i < consumers.length; i++) {
            slowest = Math.min(slowest, acknowledged(i));
        }
        return Math.min(slowest + limit, sequence + Math.max(READ_EVERY, wanted));
    }

    /**
     * Returns the consumer that is furthest behind; null when none is.
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
            long acknowledged = acknowledged(i);
            if (acknowledged < least) {
                least = acknowledged;
                slowest = i;
            }
        }
        return slowest < 0 ? null : new ConsumerLag(TailerPosition.consumer(keys[slowest]), sequence - least);
    }

    /** Returns the newest sequence that a consumer needs no more, {@link Long#MAX_VALUE} for one that was forgotten. */
    private long acknowledged(int consumer) {
        TailerPosition.read(log, consumers[consumer], keys[consumer]);
        long acknowledged = consumers[consumer].sequence();
        if (TailerPosition.isForgotten(acknowledged)) {
            return Long.MAX_VALUE;
        }
        if (acknowledged >= 0) {
            return acknowledged;
        }
        log.read(freed);
        return freed.sequence();
    }

    /** Returns whether the topic has got a consumer since the last search for consumers. */
    public boolean hasNewConsumer() {
        return count.getVolatileValue() != counted;
    }

    /**
     * Returns the index of the excerpt where the slowest consumer continues, also after a copy of its position was
     * damaged, or of an earlier one; 0 for the oldest, or without consumers.
     */
    public long slowestIndex() {
        if (hasNewConsumer()) {
            findConsumers();
        }
        long slowest = Long.MAX_VALUE;
        for (int i = 0; i < consumers.length; i++) {
            TailerPosition.read(log, consumers[i], keys[i]);
            slowest = Math.min(slowest, consumers[i].lowestIndex());
        }
        return slowest == Long.MAX_VALUE ? 0 : slowest;
    }

    private void findConsumers() {
        long before = count.getVolatileValue(); // a consumer that is added meanwhile leads to another search
        closeConsumers();
        log.inMetadata(store -> {
            List<String> found = TailerPosition.consumers(store);
            found.removeIf(TailerPosition::isObserving);
            keys = found.toArray(String[]::new);
            consumers = found.stream()
                    .map(key -> TailerPosition.position(store, key))
                    .toArray(StoredPosition[]::new);
            return null;
        });
        counted = before;
    }

    public void close() {
        count.close();
        freed.close();
        closeConsumers();
    }

    private void closeConsumers() {
        for (StoredPosition consumer : consumers) {
            consumer.close();
        }
    }
}
