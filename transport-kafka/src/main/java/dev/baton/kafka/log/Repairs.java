package dev.baton.kafka.log;

import dev.baton.kafka.topics.TopicNames;
import dev.baton.spi.DamagedTopicException;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Which records that are no frames a repair has declared dropped, for somebody who reads a topic. Made when the first such
 * record is met; topics without any pay nothing. When a search finds no repair, none is looked for again.
 *
 * <p>Confined to its reader's thread; a search may run on another one.
 */
public final class Repairs {
    private final Supplier<Tail> tails;
    private final TopicPartition partition;
    private final Executor executor;
    private final Runnable wake;
    private RepairMarker repair; // found last; null for none
    private RepairSearch search; // null while none is under way
    private boolean hasGivenUp;
    private long dropped;

    /**
     * Nothing is looked for yet.
     *
     * @param tails to look with, closed afterwards
     * @param executor of searches; one that runs them at once never leaves a record undecided
     * @param wake called when a search is over
     */
    public Repairs(Supplier<Tail> tails, TopicPartition partition, Executor executor, Runnable wake) {
        this.tails = tails;
        this.partition = partition;
        this.executor = executor;
        this.wake = wake;
    }

    /**
     * Whether a repair has declared a record dropped, which is no frame. Offsets rise.
     *
     * @param defect what keeps the record from being a frame
     * @return false: a repair is looked for; ask again
     * @throws DamagedTopicException when none has
     */
    public boolean drops(ConsumerRecord<?, ?> record, String defect) {
        boolean isKnown = repair != null && repair.drops(record.offset());
        if (!isKnown && !hasGivenUp && !isDecided(record.offset())) {
            return false;
        }
        if (hasGivenUp && !isKnown) {
            throw StoredFrame.foreign(record, defect);
        }
        dropped++;
        return true;
    }

    /** Begins a search, or takes what it has found; false: that is not known yet. */
    private boolean isDecided(long offset) {
        if (search == null) {
            search = new RepairSearch(tails, partition, offset, wake);
            executor.execute(search);
        }
        if (!search.isOver()) {
            return false;
        }
        hasGivenUp = search.found() == null;
        if (!hasGivenUp) {
            repair = search.found();
            tell();
        }
        search = null;
        return true;
    }

    private void tell() {
        System.getLogger("dev.baton")
                .log(
                        Level.WARNING,
                        "topic '" + TopicNames.of(partition) + "': drops what the repair at offset " + repair.offset()
                                + " declares: " + repair.records() + " records that are no frames, at offsets "
                                + repair.firstDropped() + " to " + repair.lastDropped());
    }

    /** Records dropped so far. */
    public long dropped() {
        return dropped;
    }

    /** Ends a search that is under way. */
    public void close() {
        if (search != null) {
            search.stop();
        }
    }
}
