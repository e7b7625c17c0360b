package dev.baton.chronicle.reading;

import dev.baton.chronicle.consumers.TailerPosition;
import dev.baton.chronicle.format.Excerpt;
import dev.baton.chronicle.log.Scratch;
import dev.baton.chronicle.log.ScratchPool;
import dev.baton.chronicle.log.TopicLog;
import dev.baton.spi.DamagedTopicException;
import dev.baton.spi.TransportException;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.wire.DocumentContext;

/**
 * The oldest excerpt that a topic still holds. A consumer that has read nothing starts there; one that has a place which
 * is gone goes on there, if it has read all that was before.
 *
 * <p>What is before it may have been freed ({@code SpaceReclaimer}), or its files deleted past Baton, while the topic
 * was closed, or while it was open: Chronicle's own list of files then still names them.
 *
 * @param index 0 when there is no excerpt; also that of the first one in a file of the first cycle of 1970, which earlier builds
 *     began where the clock stood there: the oldest, in both cases
 * @param sequence of the first frame that can be read there or behind it, 0 when there is none
 */
record OldestExcerpt(long index, long sequence) {
    /** Whether a consumer has a place, in a file that is there. */
    static boolean isLeft(TopicLog log, TailerPosition position) {
        long index = position.index();
        return !position.isNew() && index != 0 && log.format.hasFileOf(log.directory, index);
    }

    /**
     * Brings a tailer to the oldest excerpt left, for a consumer that is new, which gets its place there, or whose place
     * is gone.
     *
     * @param freed up to where space was given back
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

    /** The oldest excerpt left, to which a tailer is brought. */
    static OldestExcerpt oldest(ExcerptTailer tailer, TopicLog log, TopicLog.Freed freed, ScratchPool pool) {
        return hasFiles(log) ? at(tailer, log, freed.index(), pool) : new OldestExcerpt(0, 0);
    }

    /** Chronicle's list of files is read anew, which takes as long as all else here, only where it is wrong. */
    private static boolean hasFiles(TopicLog log) {
        int first = log.queue.firstCycle();
        if (first != Integer.MAX_VALUE
                && !log.format.hasFileOf(log.directory, log.queue.rollCycle().toIndex(first, 0))) {
            log.queue.refreshDirectoryListing();
        }
        return first != Integer.MAX_VALUE;
    }

    /** Brings the tailer to an excerpt, or to the oldest one if that is gone, and looks what is there. */
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
            } catch (DamagedTopicException unreadable) { // the poll that comes there reports it
                isMore = !unreadable.isEnd();
            }
        }
        if (isFound) {
            tailer.moveToIndex(index);
        }
        return new OldestExcerpt(index, sequence);
    }

    /** Says which frames are gone that a consumer has not read. */
    static TransportException gone(TopicLog log, String consumer, long first, long last) {
        return log.failed(
                "has lost sequences " + first + " to " + last + ", which consumer " + consumer
                        + " has not read: their files were deleted; restore these, or read as another consumer, which"
                        + " starts at the oldest frame left,",
                null);
    }
}
