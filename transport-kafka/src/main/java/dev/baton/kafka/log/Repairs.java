package dev.baton.kafka.log;

import dev.baton.kafka.client.Deadline;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * The repairs of a topic, which declare records that are no frames dropped, as a reader finds them. Created for the
 * first such record; topics without any cost nothing. When a search finds no repair, no further one follows.
 *
 * <p>Confined to its reader's thread; a search may run on another one.
 */
public final class Repairs {
    private final Supplier<LogScanner> scanners;
    private final TopicPartition partition;
    private final Executor executor;
    private final Runnable wake;
    private RepairMarker repair; // found last; null for none
    private Search search; // null while none is running
    private boolean hasGivenUp;
    private long dropped;

    /**
     * Creates the state of a reader; no search begins yet.
     *
     * @param tails to look with, closed afterwards
     * @param executor of searches; one that runs them at once never leaves a record undecided
     * @param wake called when a search is over
     */
    public Repairs(Supplier<LogScanner> scanners, TopicPartition partition, Executor executor, Runnable wake) {
        this.scanners = scanners;
        this.partition = partition;
        this.executor = executor;
        this.wake = wake;
    }

    /**
     * Returns whether a repair has declared a record dropped, which is no frame. Offsets rise.
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
            throw FrameRecord.foreign(record, defect);
        }
        dropped++;
        return true;
    }

    /** Begins a search, or takes its result; returns false while the search runs. */
    private boolean isDecided(long offset) {
        if (search == null) {
            search = new Search(scanners, partition, offset, wake);
            executor.execute(search);
        }
        if (!search.isOver()) {
            return false;
        }
        hasGivenUp = search.found() == null;
        if (!hasGivenUp) {
            repair = search.found();
            log();
        }
        search = null;
        return true;
    }

    private void log() {
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

    /** Ends a running search. */
    public void close() {
        if (search != null) {
            search.stop();
        }
    }

    /**
     * The search from a record that is no frame for the repair that declares it dropped, up to the topic's end or for
     * ten seconds. Run once, by any thread; the others may ask whether it is over, and stop it.
     */
    private static final class Search implements Runnable {
        private static final Duration LIMIT = Duration.ofSeconds(10);
        private static final Duration STOP_LIMIT = Duration.ofMillis(500);

        private final Supplier<LogScanner> scanners;
        private final TopicPartition partition;
        private final long offset;
        private final Runnable wake;
        private RepairMarker found; // before isOver
        private volatile Thread thread; // null before it runs
        private volatile boolean isStopped;
        private volatile boolean isOver;

        /**
         * Creates a search from an offset.
         *
         * @param wake called when it is over
         */
        Search(Supplier<LogScanner> scanners, TopicPartition partition, long offset, Runnable wake) {
            this.scanners = scanners;
            this.partition = partition;
            this.offset = offset;
            this.wake = wake;
        }

        @Override
        public void run() {
            thread = Thread.currentThread();
            try (LogScanner scanner = scanners.get()) {
                found = scanner.repair(partition, offset, Deadline.in(LIMIT), () -> isStopped);
            } catch (TransportException | KafkaException | IllegalStateException notFound) {
                // the reader stops as if there were none
            } finally {
                isOver = true;
                wake.run();
            }
        }

        boolean isOver() {
            return isOver;
        }

        /** Returns the repair; null for none, or none in time. Called once the search is over. */
        RepairMarker found() {
            return found;
        }

        /** Ends the search; waits a moment until its thread has closed the client. */
        void stop() {
            isStopped = true;
            Deadline deadline = Deadline.in(STOP_LIMIT);
            while (!isOver && !deadline.isOver()) {
                Deadline.pause();
            }
            Thread searching = thread;
            if (!isOver && searching != null) {
                searching.interrupt();
            }
        }
    }
}
