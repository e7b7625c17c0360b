package dev.baton.chronicle.reading;

import dev.baton.chronicle.consumers.TailerPosition;
import dev.baton.chronicle.format.Excerpt;
import dev.baton.chronicle.log.Scratch;
import dev.baton.chronicle.log.ScratchPool;
import dev.baton.chronicle.log.TopicLog;
import dev.baton.spi.ObservingConsumer;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.wire.DocumentContext;

/**
 * The oldest excerpt that a topic still has. A new consumer starts there; one whose position is gone continues there,
 * if it has read all frames before.
 *
 * <p>Earlier frames may have been freed ({@code SpaceReclaimer}), or their files deleted by a user, while the topic was
 * closed, or while it was open: Chronicle's own list of files then still names them.
 *
 * @param index 0 when there is no excerpt; also that of the first one in a file of the first cycle of 1970, where
 *     earlier builds began when the clock was there: the oldest, in both cases
 * @param sequence of the first frame that can be read there or behind it, 0 when there is none
 */
record OldestExcerpt(long index, long sequence) {
    /** Returns whether a consumer has a position in a file that exists. */
    static boolean isLeft(TopicLog log, TailerPosition position) {
        long index = position.index();
        return !position.isNew() && index != 0 && log.format.hasFileOf(log.directory, index);
    }

    /**
     * Moves a tailer to the excerpt of a consumer's index; returns false when there is none, or one that begins behind
     * the frame that is due.
     */
    static boolean moveTo(ExcerptTailer tailer, TopicLog log, TailerPosition position, ScratchPool pool) {
        if (!tailer.moveToIndex(position.index())) {
            return false;
        }
        boolean isRight;
        try (DocumentContext document = tailer.readingDocument()) {
            if (!document.isPresent()) {
                return false;
            }
            Scratch scratch = log.copy(document, pool);
            isRight = Excerpt.firstSequence(scratch.buffer, 0) <= position.sequence() + 1;
            pool.give(scratch);
        } catch (DamagedTopicException reportedByPoll) {
            isRight = true;
        }
        return isRight && tailer.moveToIndex(position.index());
    }

    /**
     * Moves a tailer to the oldest excerpt left, for a consumer that is new, which gets its position there, or whose
     * position is gone.
     *
     * @throws TransportException when frames are gone that the consumer has not read
     */
    static void find(
            ExcerptTailer tailer,
            TopicLog log,
            TopicLog.Freed freed,
            TailerPosition position,
            ScratchPool pool,
            String consumer) {
        OldestExcerpt oldest = oldest(tailer, log, freed, pool);
        if (position.isNew()) {
            position.start(
                    oldest.index == 0 ? freed.index() : oldest.index, Math.max(oldest.sequence - 1, freed.sequence()));
        } else if (oldest.sequence > position.sequence() + 1) {
            throw gone(log, consumer, position.sequence() + 1, oldest.sequence - 1);
        }
    }

    /** Moves a tailer to the oldest excerpt left, and returns that. */
    static OldestExcerpt oldest(ExcerptTailer tailer, TopicLog log, TopicLog.Freed freed, ScratchPool pool) {
        return hasFiles(log) ? at(tailer, log, freed.index(), pool) : new OldestExcerpt(0, 0);
    }

    /**
     * Returns whether the topic has files. Chronicle's list of files is read anew only where it is wrong, as that takes
     * as long as all else here.
     */
    private static boolean hasFiles(TopicLog log) {
        int first = log.queue.firstCycle();
        if (first != Integer.MAX_VALUE
                && !log.format.hasFileOf(log.directory, log.queue.rollCycle().toIndex(first, 0))) {
            log.queue.refreshDirectoryListing();
        }
        return first != Integer.MAX_VALUE;
    }

    /** Moves the tailer to an excerpt, or to the oldest one if that is gone, and reads it. */
    private static OldestExcerpt at(ExcerptTailer tailer, TopicLog log, long from, ScratchPool pool) {
        if (from == 0 || !tailer.moveToIndex(from)) {
            tailer.toStart();
        }
        long index = 0;
        long sequence = 0;
        boolean isFound = false; // index 0 is that of an excerpt, too, in a file of the first cycle of 1970
        boolean isMore = true;
        while (isMore && sequence == 0) {
            try (DocumentContext document = tailer.readingDocument()) {
                isMore = document.isPresent();
                if (isMore) {
                    index = isFound ? index : document.index();
                    isFound = true;
                    Scratch scratch = log.copy(document, pool);
                    sequence = Excerpt.firstSequence(scratch.buffer, 0);
                    pool.give(scratch);
                }
            } catch (DamagedTopicException unreadable) { // reported by the poll that reaches it
                isMore = !unreadable.isEnd();
            }
        }
        if (isFound) {
            tailer.moveToIndex(index);
        }
        return new OldestExcerpt(index, sequence);
    }

    /** Returns the failure because of frames that are gone and were not read. */
    static TransportException gone(TopicLog log, String consumer, long first, long last) {
        return log.failed(
                "has lost sequences " + first + " to " + last + ", which consumer " + consumer
                        + " has not read: "
                        + (ObservingConsumer.isObserving(consumer)
                                ? "retention removed them, as it does not wait for observing consumers; forget this one,"
                                : "their files were deleted; restore these, or read as another consumer,")
                        + " which starts at the oldest frame left,",
                null);
    }
}
