package dev.baton.aeron.archive;

import dev.baton.aeron.log.FragmentChecksum;
import dev.baton.aeron.log.FragmentLayout;
import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.RecordingDescriptor;
import dev.baton.aeron.recording.RecordingReplay;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.StartPosition;
import java.util.function.LongPredicate;

/**
 * The search for a {@link StartPosition} in a recording: the term by bisection, with a short replay for each step, and then the
 * frame within the term. Used once, by the session's thread; waits for the Archive.
 */
final class RecordingSearch {
    private final ArchiveSession session;
    private final RecordingDescriptor recording;
    private final long end;
    private final long newest;
    private final FragmentChecksum checksum = new FragmentChecksum();
    private final Frame frame = new Frame();

    /**
     * Searches a recording up to an end.
     *
     * @param newest sequence of the newest frame in it
     */
    RecordingSearch(ArchiveSession session, RecordingDescriptor recording, long end, long newest) {
        this.session = session;
        this.recording = recording;
        this.end = end;
        this.newest = newest;
    }

    /** Returns the sequence of the oldest frame in the recording; one more than that of the newest when it has none. */
    long oldest() {
        return 1 + before(recording.start());
    }

    /** Returns the sequence of the newest frame before a term, or of the newest one of all when nothing but padding follows. */
    private long before(long term) {
        long[] sequence = {newest};
        RecordingReplay.scan(session, recording, term, end, (memory, begin, length, to) -> {
            if (Checkpoint.isAt(memory, begin)) {
                sequence[0] = Checkpoint.sequence(memory, begin);
            } else {
                checksum.require(recording.topic(), recording.id(), memory, begin, length, to);
                sequence[0] = FragmentLayout.firstSequence(memory, begin) - 1;
            }
            return false;
        });
        return sequence[0];
    }

    /**
     * Finds the place.
     *
     * @throws dev.baton.spi.errors.TransportException when the recording does not hold it
     */
    Place find(StartPosition from) {
        long oldest = oldest();
        if (from.kind() == StartPosition.Kind.TIME) {
            return findTime(from, oldest);
        }
        long before = from.before(recording.topic(), oldest, newest);
        return before == newest ? new Place(before, end) : new Place(before, lastTerm(term -> before(term) <= before));
    }

    private Place findTime(StartPosition from, long oldest) {
        if (oldest > 1 && firstNanos(recording.start()) >= from.epochNanos()) {
            throw from.removed(recording.topic(), oldest);
        }
        long term = lastTerm(each -> firstNanos(each) < from.epochNanos());
        long[] before = {newest};
        walk(term, (sequence, epochNanos) -> {
            if (epochNanos < from.epochNanos()) {
                return true;
            }
            before[0] = sequence - 1;
            return false;
        });
        return new Place(before[0], before[0] == newest ? end : term);
    }

    /** The place at which a consumer begins: behind the frame with a sequence, at or behind a log position. */
    record Place(long before, long position) {}

    /** Returns the last term that passes a test, or the first one if none does. */
    private long lastTerm(LongPredicate test) {
        long low = 0;
        long high =
                (recording.termOf(Math.max(recording.start(), end - 1)) - recording.start()) / recording.termLength()
                        + 1;
        while (high - low > 1) {
            long middle = (low + high) >>> 1;
            if (test.test(recording.start() + middle * recording.termLength())) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return recording.start() + low * recording.termLength();
    }

    /** Returns the time at which the first frame from a term on was sent; {@link Long#MAX_VALUE} for none. */
    private long firstNanos(long term) {
        long[] first = {Long.MAX_VALUE};
        walk(term, (sequence, epochNanos) -> {
            first[0] = epochNanos;
            return false;
        });
        return first[0];
    }

    private interface Step {
        /** Handles a frame, and returns whether to continue. */
        boolean onFrame(long sequence, long epochNanos);
    }

    /** Walks over the frames from a term on, with the times at which they were sent. */
    private void walk(long from, Step step) {
        Incarnation[] writer = {null};
        RecordingReplay.scan(session, recording, from, end, (memory, begin, length, to) -> {
            if (Checkpoint.isAt(memory, begin)) {
                writer[0] = Checkpoint.decode(recording.topic(), memory, begin, length)
                        .writer();
                return true;
            }
            checksum.require(recording.topic(), recording.id(), memory, begin, length, to);
            long due = FragmentLayout.firstSequence(memory, begin);
            for (int at = 0, next; at < length; at = next) {
                next = FragmentLayout.next(recording.topic(), memory, begin, at, length, due++);
                frame.wrap(memory, begin + at + FragmentLayout.FRAME_OFFSET, memory.getInt(begin + at));
                long epochNanos = frame.sentNanos() + (writer[0] == null ? 0 : writer[0].wallOffsetNanos());
                if (!step.onFrame(frame.sequence(), epochNanos)) {
                    return false;
                }
            }
            return true;
        });
    }
}
