package dev.baton.chronicle.reading;

import dev.baton.chronicle.consumers.TailerPosition;
import dev.baton.chronicle.format.Excerpt;
import dev.baton.chronicle.format.StoredPosition;
import dev.baton.chronicle.log.Scratch;
import dev.baton.chronicle.log.ScratchPool;
import dev.baton.chronicle.log.TopicLog;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.DamagedTopicException;
import java.io.IOException;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.RollCycle;
import net.openhft.chronicle.wire.DocumentContext;

/**
 * The search for a {@link StartPosition}, to which a consumer is moved: the newest file that begins before it, by
 * halving the newest excerpt in there that does, and from that one frame by frame. Reads some tens of excerpts, however
 * long the topic is. Used once, by the connection's thread.
 */
final class StartPositionSearch {
    private static final long NONE = -1;

    private final TopicLog log;
    private final ScratchPool pool;
    private final StartPosition from;
    private final Frame view = new Frame();
    private ExcerptTailer tailer;
    private long readable; // the newest sequence that readers may get: what is not synced may be replaced

    StartPositionSearch(TopicLog log, ScratchPool pool, StartPosition from) {
        this.log = log;
        this.pool = pool;
        this.from = from;
    }

    /** Moves a consumer that has no other reader, and returns where it was; it stays there when this throws. */
    TailerPosition.Before move(TailerPosition position) throws IOException {
        TailerPosition.Before before = position.addAgain(log);
        boolean isMoved = false;
        try (ExcerptTailer opened = log.queue.createTailer();
                StoredPosition end = log.storedEnd()) {
            readable = ChronicleReader.readable(log, log.syncs() ? end : null);
            tailer = opened;
            tailer.singleThreadedCheckDisabled(true);
            place(position);
            isMoved = true;
            return before;
        } finally {
            if (!isMoved) {
                position.restore(before);
            }
        }
    }

    private void place(TailerPosition position) throws IOException {
        TopicLog.Freed freed = log.freed();
        log.format.checkBeforeReading(log.topic, log.directory, freed.index());
        OldestExcerpt oldest = OldestExcerpt.oldest(tailer, log, freed, pool);
        long first = Math.max(oldest.sequence(), freed.sequence() + 1);
        if (oldest.sequence() == 0) { // no frame is left
            position.start(freed.index(), isTime() ? freed.sequence() : from.before(log.topic, first, first - 1));
            return;
        }
        if (from.kind() == StartPosition.Kind.EARLIEST) {
            position.start(oldest.index(), first - 1);
            return;
        }
        long target = isTime() ? 0 : from.before(log.topic, first, newest()) + 1;
        if (isTime() && first > 1 && !isBefore(oldest.index(), target)) {
            throw from.removed(log.topic, first);
        }
        scan(position, lastBefore(oldest.index(), target), target, first - 1);
    }

    private boolean isTime() {
        return from.kind() == StartPosition.Kind.TIME;
    }

    private long newest() {
        long newest = ChronicleReader.newestOf(log, pool);
        if (newest == TopicReader.UNKNOWN) {
            throw log.failed("ends with an excerpt that is no batch of frames, behind which is no " + from + ",", null);
        }
        return Math.min(newest, readable);
    }

    /** Returns the newest excerpt found that begins before the target; the oldest one if none does. */
    private long lastBefore(long oldest, long target) {
        RollCycle roll = log.queue.rollCycle();
        int firstCycle = roll.toCycle(oldest);
        long low = oldest;
        int lastCycle = log.queue.lastCycle();
        for (long cycle : log.queue.listCyclesBetween(firstCycle, lastCycle).descendingSet()) {
            if (cycle > firstCycle && isBefore(roll.toIndex((int) cycle, 0), target)) {
                low = roll.toIndex((int) cycle, 0);
                break;
            }
        }
        long step = 1;
        while (isBefore(low + step, target)) {
            low += step;
            step *= 2;
        }
        for (long high = low + step; high - low > 1; ) {
            long middle = low + (high - low) / 2;
            if (isBefore(middle, target)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns whether there is an excerpt of frames with an index that begins before the target. */
    private boolean isBefore(long index, long target) {
        if (!tailer.moveToIndex(index)) {
            return false;
        }
        try (DocumentContext document = tailer.readingDocument()) {
            if (!document.isPresent() || document.index() != index) {
                return false;
            }
            Scratch scratch = log.copy(document, pool);
            try {
                view.wrap(scratch.buffer, Excerpt.FIRST_FRAME, Excerpt.length(scratch.buffer, Excerpt.FIRST_FRAME));
                return isBefore(Excerpt.firstSequence(scratch.buffer, 0), target, view);
            } finally {
                pool.give(scratch);
            }
        } catch (DamagedTopicException unreadable) { // reported by the poll that reaches it
            return false;
        }
    }

    private boolean isBefore(long sequence, long target, Frame frame) {
        if (sequence > readable) {
            return false;
        }
        if (!isTime()) {
            return sequence < target;
        }
        Incarnation writer = log.history().writers().at(sequence);
        return writer == null || frame.sentNanos() + writer.wallOffsetNanos() < from.epochNanos();
    }

    /** Reads from an excerpt to the first frame that is not before the target. */
    private void scan(TailerPosition position, long start, long target, long before) {
        long index = start;
        long last = NONE;
        tailer.moveToIndex(start);
        while (true) {
            try (DocumentContext document = tailer.readingDocument()) {
                if (!document.isPresent()) {
                    break;
                }
                index = document.index();
                Scratch scratch = log.copy(document, pool);
                try {
                    long sequence = Excerpt.firstSequence(scratch.buffer, 0);
                    int frame = Excerpt.FIRST_FRAME;
                    for (int left = Excerpt.frames(scratch.buffer, 0); left > 0; left--) {
                        int length = Excerpt.length(scratch.buffer, frame);
                        if (!isBefore(sequence, target, view.wrap(scratch.buffer, frame, length))) {
                            position.start(index, sequence - 1);
                            return;
                        }
                        last = sequence++;
                        frame = Excerpt.nextFrame(Excerpt.end(frame, length));
                    }
                } finally {
                    pool.give(scratch);
                }
            } catch (DamagedTopicException unreadable) {
                if (unreadable.isEnd()) {
                    break;
                }
            }
        }
        position.start(index, last == NONE ? before : last);
    }
}
