package dev.baton;

import dev.baton.run.Environment;
import dev.baton.spi.TopicWriter;

/**
 * How long ago a part did something, and how long its oldest output waits to be stored.
 *
 * <p>While a part is at work nothing is read from the clock here: the first turn without work tells when the last one
 * with work was. Of the outputs that are not stored, one at a time is marked together with its time; when it is stored and
 * others are not, the newest of those is marked next. So the age is the oldest one's or less. Confined to its loop.
 */
final class Progress {
    private final Environment environment;
    private boolean isAtWork;
    private long lastWorkNanos;
    private long marked; // an output that was not stored when it was looked for; 0: all are stored
    private long markedNanos;

    Progress(Environment environment) {
        this.environment = environment;
        lastWorkNanos = environment.nanoTime();
    }

    /**
     * A turn did something.
     *
     * @param commitNanos when the newest output was committed, 0 for not known
     */
    void made(TopicWriter writer, long commitNanos) {
        isAtWork = true;
        mark(writer, commitNanos);
    }

    /** A turn found nothing to do. */
    void none(TopicWriter writer) {
        if (isAtWork) {
            isAtWork = false;
            lastWorkNanos = environment.nanoTime();
        }
        if (marked != 0) {
            mark(writer, 0);
        }
    }

    private void mark(TopicWriter writer, long commitNanos) {
        long stored = writer.storedSequence();
        if (marked != 0 && stored < marked) {
            return;
        }
        marked = 0;
        long newest = writer.sequence();
        if (stored < newest) {
            marked = newest;
            markedNanos = commitNanos == 0 ? environment.nanoTime() : commitNanos;
        }
    }

    /** Nanoseconds since the last turn that did something, or since the start; 0 while it is at work. */
    long idleNanos(long now) {
        if (isAtWork) {
            isAtWork = false;
            lastWorkNanos = now;
        }
        return Math.max(0, now - lastWorkNanos);
    }

    /** Nanoseconds that the oldest output has waited to be stored, at least; 0 when all are stored. */
    long unstoredNanos(TopicWriter writer, long now) {
        return writer.storedSequence() >= writer.sequence() || marked == 0 ? 0 : Math.max(0, now - markedNanos);
    }
}
