package dev.baton.kafka.log;

import dev.baton.kafka.client.Deadline;
import dev.baton.spi.TransportException;
import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Looks forward from a record that is no frame for the repair that declares it dropped, to the topic's end or until ten
 * seconds are over. Run once, by any thread; the others may ask whether it is over, and stop it.
 */
final class RepairSearch implements Runnable {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Duration STOP_LIMIT = Duration.ofMillis(500);

    private final Supplier<Tail> tails;
    private final TopicPartition partition;
    private final long offset;
    private final Runnable wake;
    private RepairMarker found; // before isOver
    private volatile Thread thread; // null before it runs
    private volatile boolean isStopped;
    private volatile boolean isOver;

    /** @param wake called when it is over */
    RepairSearch(Supplier<Tail> tails, TopicPartition partition, long offset, Runnable wake) {
        this.tails = tails;
        this.partition = partition;
        this.offset = offset;
        this.wake = wake;
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        try (Tail tail = tails.get()) {
            found = tail.repair(partition, offset, Deadline.in(LIMIT), () -> isStopped);
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

    /** Null for none, or none in time. Once it is over. */
    RepairMarker found() {
        return found;
    }

    /** Ends it; waits a moment until its thread lets go of the client. */
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
