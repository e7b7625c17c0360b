package dev.baton.engine.cycle;

import dev.baton.spi.ConsumerLag;
import dev.baton.spi.TopicWriter;
import dev.baton.status.HeldBack;

/**
 * Times of a part: how long ago it did something, how long its oldest output waits to be stored, and for how long its output has taken
 * nothing for want of room.
 *
 * <p>The loop updates it every few sweeps and before it answers a status: a time is as old as the last update
 * before it at most. Of the outputs that are not stored, one at a time is marked together with its time; when it is stored
 * and others are not, the newest of those is marked next. So the age is the oldest one's or less. Confined to its loop.
 */
public final class Progress {
    private long lastWorkNanos;
    private long marked; // an output that was not stored when it was looked for; 0: all are stored
    private long markedNanos;
    private boolean isFull; // the output had no room at the last look
    private long fullAt; // the newest output then
    private long fullNanos; // when it was first seen without room, with this newest output

    /** Counts from now on. */
    Progress(long now) {
        lastWorkNanos = now;
    }

    /**
     * Takes note of where the part is.
     *
     * @param hasWorked since the last look
     * @param commitNanos when its newest output was committed, 0 for not known
     * @param hasNoRoom whether its output has no room for what the part may send next
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

    /** Which consumer holds the output back; null for none. */
    HeldBack heldBack(long now, String topic, TopicWriter writer) {
        ConsumerLag slowest = isFull ? writer.slowestConsumer() : null;
        return slowest == null
                ? null
                : new HeldBack(topic, slowest.consumer(), slowest.frames(), Math.max(0, now - fullNanos));
    }

    /** Nanoseconds since the last turn that did something, or since the start; 0 while it is at work. */
    long idleNanos(long now) {
        return Math.max(0, now - lastWorkNanos);
    }

    /** Nanoseconds that the oldest output has waited to be stored, at least; 0 when all are stored. */
    long unstoredNanos(long now) {
        return marked == 0 ? 0 : Math.max(0, now - markedNanos);
    }
}
