package dev.baton.engine.cycle;

import dev.baton.spi.TopicWriter;
import dev.baton.spi.TopicWriter.ConsumerLag;
import dev.baton.status.ChainStatus.HeldBack;
import dev.baton.status.PartStatus.OutputStatus;

/**
 * Times of a part: the time since it last did work, the age of its oldest unstored output, and the time for which its
 * output has had no room.
 *
 * <p>The loop updates the times every few sweeps and before each status. One unstored output at a time is marked together
 * with its time. When it is stored and others are not, the newest of those is marked next. The reported age is therefore at
 * most that of the oldest unstored output. Confined to its loop.
 */
final class Progress {
    private long lastWorkNanos;
    private long marked; // sequence of the marked unstored output; 0 if all are stored
    private long markedNanos;
    private boolean isFull; // the output had no room at the last update
    private long fullAt; // sequence of the newest output at that time
    private long fullNanos; // time of the first update without room and with this newest output

    /** Starts all times at {@code now}. */
    Progress(long now) {
        lastWorkNanos = now;
    }

    /**
     * Records the state of the part.
     *
     * @param hasWorked whether the part has worked since the last update
     * @param commitNanos time at which its newest output was committed, 0 if it is not known
     * @param hasNoRoom whether its output has no room for the next outputs of the part
     */
    void update(long now, boolean hasWorked, TopicWriter writer, long commitNanos, boolean hasNoRoom) {
        if (hasNoRoom && (!isFull || fullAt != writer.sequence())) {
            fullAt = writer.sequence();
            fullNanos = now;
        }
        isFull = hasNoRoom;
        if (hasWorked) {
            lastWorkNanos = now;
        }
        long stored = writer.storedSequence();
        if (marked != 0 && stored < marked) {
            return;
        }
        marked = 0;
        long newest = writer.sequence();
        if (stored < newest) {
            marked = newest;
            markedNanos = commitNanos == 0 || !hasWorked ? now : commitNanos;
        }
    }

    /** Returns the status of the output. */
    OutputStatus output(long now, String topic, TopicWriter writer) {
        return new OutputStatus(
                topic, writer.sequence(), writer.storedSequence(), unstoredNanos(now), heldBack(now, topic, writer));
    }

    /** Returns the consumer that holds the output back, or that a full topic lacks; null for none. */
    private HeldBack heldBack(long now, String topic, TopicWriter writer) {
        ConsumerLag slowest = isFull ? writer.slowestConsumer() : null;
        if (slowest != null) {
            return new HeldBack(topic, slowest.consumer(), slowest.frames(), Math.max(0, now - fullNanos));
        }
        boolean hasNoConsumer =
                isFull && writer.remainingCapacity() == 0 && writer.storedSequence() == writer.sequence();
        return hasNoConsumer
                ? new HeldBack(topic, HeldBack.NO_CONSUMER, writer.capacity(), Math.max(0, now - fullNanos))
                : null;
    }

    /** Returns the nanoseconds since the last turn with work, or since the start; 0 while the part is working. */
    long idleNanos(long now) {
        return Math.max(0, now - lastWorkNanos);
    }

    /** Returns a lower bound of the nanoseconds that the oldest unstored output has waited; 0 if all outputs are stored. */
    private long unstoredNanos(long now) {
        return marked == 0 ? 0 : Math.max(0, now - markedNanos);
    }
}
