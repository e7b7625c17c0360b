package dev.baton.kafka.write;

import dev.baton.kafka.topics.TopicIdMonitor;

/**
 * The record of which frames of a writer are stored and count: as long as the writer's own frames follow each other
 * without a gap in the log, no other writer has begun between them.
 *
 * <p>An offset that does not follow the one before, and an end of the topic behind the last own frame, make the rest
 * unclear: no further frame counts until {@link GapCheck} has read the records in between and found no newer writer.
 * With transactions the offsets of their markers lie between own frames; there frames count when their transaction is
 * committed, and the end alone is watched.
 *
 * <p>An acknowledgement names an offset, and not the topic that it lies in. So while the topic's identity is in doubt
 * nothing more counts until a check that began later has confirmed it ({@link TopicIdMonitor}). An offset that steps
 * back is such a doubt: it lies in another topic of the name, or the brokers have lost frames.
 *
 * <p>Thread-safe: the writer's loop counts what it sends, the producer's thread what is acknowledged.
 */
final class StoredFrames {
    private static final long NONE = -1;

    private final boolean isTransactional;
    private final long before; // sequence that the writer found
    private long sent; // frames
    private long acknowledged; // frames, whether they count or not
    private long next; // offset: all before it was acknowledged in order, or has been read
    private long newest; // offset of the newest frame acknowledged
    private long unclearTo; // end of what has to be read, at or before next when nothing has
    private long counted; // sequence of the newest frame that counts if the topic is still the same
    private volatile long stored; // sequence of the newest frame that counts
    private long lost; // frames that are not stored and never will be
    private long doubts; // how often the topic's identity has come into doubt
    private volatile boolean isInDoubt;
    private long checks; // that have begun
    private long confirmed; // number of the newest check that has confirmed the topic
    private long checkedDoubts; // doubts when the present check began
    private long checkedCount; // counted when the present check began
    private long steppedBackTo = NONE; // offset that followed a higher one
    private long checkedStep = NONE; // steppedBackTo when the present check began

    /**
     * Creates the record of a writer behind its marker.
     *
     * @param sequence of the newest frame that counted there
     * @param next offset behind the marker
     */
    StoredFrames(long sequence, long next, boolean isTransactional) {
        this.before = sequence;
        this.counted = sequence;
        this.stored = sequence;
        this.next = next;
        this.newest = next - 1;
        this.isTransactional = isTransactional;
    }

    /** Returns the sequence of the newest frame that is stored and counts. */
    long sequence() {
        return stored;
    }

    /** Counts a frame that is about to be sent. */
    synchronized void sending() {
        sent++;
    }

    /**
     * Counts an acknowledged frame at this offset, which is negative when the broker did not report it.
     *
     * @return whether it begins something unclear
     */
    synchronized boolean acknowledged(long offset) {
        acknowledged++;
        if (offset >= 0 && offset <= newest) {
            stepBack(offset);
            return false;
        }
        newest = Math.max(newest, offset);
        if (isTransactional) {
            return false;
        }
        if (isUnclear()) {
            unclearTo = Math.max(unclearTo, offset + 1);
            return false;
        }
        if (offset == next) {
            next++;
            counted++;
            publish();
            return false;
        }
        unclearTo = offset + 1;
        return isUnclear();
    }

    /** Counts the frames up to this sequence, whose transactions are committed; none newer has been sent into one. */
    synchronized void committed(long sequence) {
        counted = sequence;
        publish();
        if (!isUnclear()) {
            next = Math.max(next, newest + 2); // the frame, and its transaction's marker
        }
    }

    /**
     * Takes the offset at which the topic ends.
     *
     * @return whether that begins something unclear
     */
    synchronized boolean endsAt(long end) {
        if (isUnclear() || sent != acknowledged + lost || end <= next) {
            return false; // with frames in flight their acknowledgements show it
        }
        unclearTo = end;
        return true;
    }

    /** Returns whether records have to be read before further frames count. */
    synchronized boolean isUnclear() {
        return unclearTo > next;
    }

    /** The first offset to be read. */
    synchronized long unclearFrom() {
        return next;
    }

    /** The offset behind the last one to be read. */
    synchronized long unclearTo() {
        return unclearTo;
    }

    /**
     * Counts the frames before this offset, which was read to without finding a newer writer.
     *
     * @param sequence of the last own frame read, 0 for none
     */
    synchronized void cleared(long offset, long sequence) {
        next = Math.max(next, offset);
        if (!isTransactional) {
            counted = Math.max(counted, sequence);
            publish();
        }
    }

    /**
     * Ends the count, as a newer writer has begun.
     *
     * @param sequence of the last own frame read before its marker, 0 for none
     */
    synchronized void end(long sequence) {
        cleared(next, sequence);
        unclearTo = Long.MAX_VALUE;
    }

    /** Sequence of the newest frame that a broker acknowledged, whether it counts or not. */
    synchronized long acknowledgedSequence() {
        return before + acknowledged;
    }

    /** Returns an offset before which the log does not end: behind frames that count, and not of an open transaction. */
    synchronized long nextOffset() {
        return Math.min(next, newest + 1);
    }

    /** Returns whether frames were sent and not acknowledged. */
    synchronized boolean isInFlight() {
        return sent != acknowledged + lost;
    }

    /** Counts a sent frame that is not stored and never will be. */
    synchronized void lost() {
        lost++;
    }

    /** Puts the identity of the topic into doubt: what is acknowledged from here on counts when it is confirmed. */
    synchronized void doubt() {
        doubts++;
        isInDoubt = true;
    }

    /** Returns whether acknowledged frames wait for the topic to be confirmed. */
    boolean isInDoubt() {
        return isInDoubt;
    }

    /** Notes the beginning of a check of the topic's identity. */
    synchronized void checkBegins() {
        checks++;
        checkedDoubts = doubts;
        checkedCount = counted;
        checkedStep = steppedBackTo;
    }

    /**
     * Counts all that was acknowledged before the check that began last, which has found the same topic.
     *
     * @return offset to which the acknowledgements had stepped back before that check, negative when they had not: the
     *     topic is the same and has lost frames, and nothing more counts
     */
    synchronized long confirmed() {
        if (checkedStep == NONE) {
            confirmed = checks;
            isInDoubt = doubts != checkedDoubts;
            stored = Math.max(stored, checkedCount);
            publish();
        }
        return checkedStep;
    }

    /** Number of the newest check that has begun. */
    synchronized long checks() {
        return checks;
    }

    /**
     * Returns whether the topic is not in doubt, or was confirmed by a check that began after one of {@link #checks}.
     */
    synchronized boolean isConfirmedAfter(long check) {
        return !isInDoubt || confirmed > check;
    }

    private void publish() {
        if (!isInDoubt) {
            stored = counted;
        }
    }

    private void stepBack(long offset) {
        doubts++;
        isInDoubt = true;
        steppedBackTo = steppedBackTo == NONE ? offset : Math.min(steppedBackTo, offset);
    }
}
