package dev.baton.aeron.recording;

import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.errors.TransportException;
import io.aeron.Aeron;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.client.ArchiveProxy;

/**
 * The copy of a recording in the standby Archive, as its owner or a reader sees it: the position up to which the standby has
 * recorded it. The owner, which is the one that writes the original, also has it copied again when the copying has ended. Without a
 * standby it has everything. Confined to its session's thread.
 */
public final class Copy implements ArchiveSession.Request, ArchiveSession.Answer {
    private static final long EVERYTHING = Long.MAX_VALUE;
    private static final long NONE = Long.MIN_VALUE;

    /** The interval between two looks whether a copy that has everything is still being made. */
    private static final long IDLE_NANOS = 1_000_000_000;

    /** The interval between two attempts to begin copying, which takes some 100 ms. */
    private static final long AGAIN_NANOS = 1_000_000_000;

    /** The interval between two requests of a reader that does not know whether there is more, doubled up to the longest one. */
    private static final long FIRST_PAUSE_NANOS = 500_000;

    private static final long LONGEST_PAUSE_NANOS = 16_000_000;

    private final Standby standby; // null for none
    private final RecordingDescriptor original;
    private final RecordingDescriptor copy; // null without a standby
    private final boolean isOwned;
    private final long end; // of the original, at which it is not copied again; unlimited while it has a writer
    private long position;
    private long answer = NONE; // of the open round
    private boolean isRunning = true; // the copying, unless an answer says otherwise
    private boolean isCounted; // there was an answer
    private long correlation = Aeron.NULL_VALUE;
    private boolean isWanted; // in this round or the next one
    private long countedNanos; // of the newest answer
    private long movedNanos = System.nanoTime(); // when it last moved, or was complete
    private long begunNanos = movedNanos - AGAIN_NANOS;
    private long pauseNanos = FIRST_PAUSE_NANOS;

    private Copy(Standby standby, RecordingDescriptor original, RecordingDescriptor copy, boolean isOwned, long end) {
        this.end = end;
        this.standby = standby;
        this.original = original;
        this.copy = copy;
        this.isOwned = isOwned;
        position = standby == null ? EVERYTHING : copy.start();
        countedNanos = movedNanos - IDLE_NANOS;
    }

    /** Returns the copy of a recording that the caller writes, and begins to make it if there is none. Waits for the standby. */
    public static Copy ofWriter(ArchiveSession session, RecordingDescriptor original) {
        Standby standby = session.standby();
        if (standby == null) {
            return new Copy(null, original, null, true, EVERYTHING);
        }
        return new Copy(standby, original, standby.findOrBegin(original), true, EVERYTHING).counted(session);
    }

    /**
     * Waits until the standby has what a recording without a writer has, which may take long the first time. Opens nothing.
     *
     * @throws TransportException when it does not move for twice the timeout
     */
    public static void await(ArchiveSession session, RecordingDescriptor original) {
        Standby standby = session.standby();
        if (standby == null || original.isEmpty()) {
            return;
        }
        RecordingDescriptor found = standby.findOrBegin(original);
        long end = Catalog.end(session, original);
        Copy copy = new Copy(standby, original, found, true, end).counted(session);
        if (copy.position < end) { // or another process writes it
            copy.awaitAt(session, end);
        }
    }

    /** Waits for the first answer that counts. */
    private Copy counted(ArchiveSession session) {
        session.await("the position of the copy of " + original.what(), () -> {
            work(System.nanoTime(), EVERYTHING);
            return isCounted;
        });
        return this;
    }

    /**
     * Returns the copy of a recording that the caller reads. Waits for the standby.
     *
     * @throws TransportException when there is none
     */
    public static Copy ofReader(ArchiveSession session, RecordingDescriptor original) {
        Standby standby = session.standby();
        if (standby == null) {
            return new Copy(null, original, null, false, EVERYTHING);
        }
        RecordingDescriptor copy = standby.find(original);
        if (copy == null) {
            throw new TransportException("the standby has no copy of " + original.what()
                    + " yet; open its writer, or create the topic again, which begins to copy it");
        }
        return new Copy(standby, original, copy, false, EVERYTHING).counted(session);
    }

    /** Returns the entry of the original at the opening. */
    public RecordingDescriptor original() {
        return original;
    }

    /** Returns the position up to which the standby has recorded; the largest number without a standby. */
    public long position() {
        return position;
    }

    /** Returns the bytes that may be written behind a position of the original while at most so many are not copied. */
    public long room(long written, long most) {
        return standby == null ? EVERYTHING : most - Math.max(0, written - position);
    }

    /** Requests the position while it is before that of the original, and has the recording copied. Does not wait. */
    public void work(long nowNanos, long written) {
        if (position >= written) {
            movedNanos = nowNanos;
        }
        if (standby != null && !isWanted && (position < written || isOwned && nowNanos - countedNanos >= IDLE_NANOS)) {
            isWanted = true;
            standby.want(this);
        }
    }

    /** Requests the position at intervals, for a reader that does not know the end of the original. Does not wait. */
    public void workAtIntervals(long nowNanos) {
        if (nowNanos - countedNanos >= pauseNanos) {
            work(nowNanos, EVERYTHING);
        }
    }

    /** Returns whether the standby has answered for a time that the copy does not move, although the original has more. */
    public boolean isStalled(long limitNanos) {
        return standby != null && countedNanos - movedNanos > limitNanos;
    }

    /** Returns the description of a copy that does not move. */
    public String stalled(long limitNanos) {
        return "the standby has recorded nothing behind log position " + position + " for "
                + Standby.seconds(limitNanos) + standby.remedy();
    }

    /**
     * Waits until the standby has recorded up to a position, as long as the copy moves.
     *
     * @throws TransportException when it does not move for twice the timeout, the time that a copy of a lost connection may take to end
     */
    public void awaitAt(ArchiveSession session, long written) {
        if (standby != null && position > written) {
            throw new TopicMismatchException(
                    "the standby has recorded " + original.what() + " up to log position " + position
                            + ", but the Archive only up to " + written
                            + ", so that it has lost frames; promote the standby, or stop it, empty its directory and start it again");
        }
        long limitNanos = 2 * session.timeoutNanos();
        movedNanos = System.nanoTime();
        while (position < written) {
            long before = position;
            if (!session.awaitFor(limitNanos, () -> {
                work(System.nanoTime(), written);
                return position > before;
            })) {
                throw new TransportException(original.what() + " cannot be opened: " + stalled(limitNanos));
            }
        }
    }

    /** Waits for a limited time until the standby has recorded up to a position. */
    public void awaitFor(ArchiveSession session, long limitNanos, long written) {
        if (position < written && session.isAlive()) {
            session.awaitFor(limitNanos, () -> {
                work(System.nanoTime(), written);
                return position >= written;
            });
        }
    }

    void ask(ArchiveSession session) {
        answer = NONE;
        correlation = session.ask(this, this);
    }

    @Override
    public boolean send(ArchiveProxy proxy, long request, long control) {
        return isOwned && isRunning
                ? proxy.getRecordingPosition(copy.id(), request, control)
                : proxy.getMaxRecordedPosition(copy.id(), request, control);
    }

    @Override
    public void onAnswer(long value, String error) {
        correlation = Aeron.NULL_VALUE;
        if (error == null) {
            answer = value;
        }
    }

    /** Takes the answer of a round, if it counts. */
    void endRound(ArchiveSession session, boolean counts) {
        session.forget(correlation);
        correlation = Aeron.NULL_VALUE;
        isWanted = false;
        if (!counts) {
            return;
        }
        countedNanos = System.nanoTime();
        if (answer == AeronArchive.NULL_POSITION) { // of a copy that is not being made
            isRunning = false;
            return;
        }
        isCounted |= answer != NONE;
        if (answer > position) {
            position = answer;
            movedNanos = countedNanos;
            pauseNanos = FIRST_PAUSE_NANOS;
        } else {
            pauseNanos = Math.min(LONGEST_PAUSE_NANOS, 2 * pauseNanos);
        }
        if (!isRunning && position > copy.start() && position < end && countedNanos - begunNanos >= AGAIN_NANOS) {
            isRunning = true;
            begunNanos = countedNanos;
            standby.replicate(original, copy);
        }
    }
}
