package dev.baton.kafka;

/**
 * Which frames of a writer are stored and count: as long as the writer's own frames follow each other without a gap in
 * the log, nobody else has begun between them.
 *
 * <p>An offset that does not follow the one before, and an end of the topic behind the last own frame, make the rest
 * unclear: no further frame counts until somebody has read the records in between ({@link GapCheck}) and says that no
 * newer writer began among them. With transactions the offsets of their markers lie between own frames; there frames
 * count when their transaction is committed, and the end alone is watched.
 *
 * <p>Thread-safe: the writer's loop counts what it sends, the producer's thread what is acknowledged.
 */
final class StoredFrames {
    private final boolean isTransactional;
    private final long before; // sequence that the writer found
    private long sent; // frames
    private long acknowledged; // frames, whether they count or not
    private long next; // offset: all before it was acknowledged in order, or has been read
    private long newest; // offset of the newest frame acknowledged
    private long unclearTo; // end of what has to be read, at or before next when nothing has
    private volatile long stored; // sequence of the newest frame that counts

    /**
     * Begins behind a marker.
     *
     * @param sequence of the newest frame that counted there
     * @param next offset behind the marker
     */
    StoredFrames(long sequence, long next, boolean isTransactional) {
        this.before = sequence;
        this.stored = sequence;
        this.next = next;
        this.isTransactional = isTransactional;
    }

    /** Sequence of the newest frame that is stored and counts. */
    long sequence() {
        return stored;
    }

    /** A frame is about to be sent. */
    synchronized void sending() {
        sent++;
    }

    /**
     * A frame was acknowledged, at this offset, negative when the broker did not say.
     *
     * @return whether it begins something unclear
     */
    synchronized boolean acknowledged(long offset) {
        acknowledged++;
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
            stored++;
            return false;
        }
        unclearTo = offset + 1;
        return isUnclear();
    }

    /** Transactions up to this sequence are committed, and nothing newer has been sent into one. */
    synchronized void committed(long sequence) {
        stored = sequence;
        if (!isUnclear()) {
            next = Math.max(next, newest + 2); // the frame, and its transaction's marker
        }
    }

    /**
     * The topic ends at this offset.
     *
     * @return whether that begins something unclear
     */
    synchronized boolean endsAt(long end) {
        if (isUnclear() || sent != acknowledged || end <= next) {
            return false; // with frames under way their acknowledgements tell
        }
        unclearTo = end;
        return true;
    }

    /** Whether records have to be read before further frames count. */
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
     * What lies before this offset has been read, and no newer writer began there.
     *
     * @param sequence of the last own frame met, 0 for none
     */
    synchronized void cleared(long offset, long sequence) {
        next = Math.max(next, offset);
        if (!isTransactional) {
            stored = Math.max(stored, sequence);
        }
    }

    /**
     * A newer writer has begun: nothing more will count.
     *
     * @param sequence of the last own frame met before its marker, 0 for none
     */
    synchronized void end(long sequence) {
        cleared(next, sequence);
        unclearTo = Long.MAX_VALUE;
    }

    /** Sequence of the newest frame that a broker acknowledged, whether it counts or not. */
    synchronized long acknowledgedSequence() {
        return before + acknowledged;
    }

    /** Whether frames were sent and not acknowledged. */
    synchronized boolean isUnderWay() {
        return sent != acknowledged;
    }
}
