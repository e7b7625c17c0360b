package dev.baton.chronicle.writing;

import dev.baton.chronicle.consumers.Backlog;
import dev.baton.chronicle.format.FileDefect;
import dev.baton.chronicle.format.StoreHeader;
import dev.baton.chronicle.format.StoredMetadata;
import dev.baton.chronicle.log.TopicLog;
import dev.baton.chronicle.platform.DiskSpace;
import dev.baton.chronicle.platform.FileFailure;
import dev.baton.spi.TransportException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.Queue;
import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.queue.RollCycle;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;

/**
 * Gives back the space of what every known consumer has acknowledged, while the topic goes on: a file's older part is
 * freed in place, and a file that all are done with is deleted.
 *
 * <p>What has to stay, because Chronicle finds a place in a file by its index: the start of the file with the first
 * index pages, every later index page, and everything from the last indexed excerpt at or before the slowest consumer's
 * place. So space is freed up to a <i>mark</i>: the begin of an indexed excerpt. Marks of the newest excerpts are kept in
 * a ring; when it is full because a consumer lags, new ones are omitted and space is freed later.
 *
 * <p>A consumer that comes after something was freed starts at the oldest mark that is left, which the metadata names.
 * It enters itself first, which stops the freeing, and looks there afterwards; the writer names the new mark first and
 * then checks whether a consumer has entered. So one of the two notices the other. The writer names the sequence before the
 * index and a consumer reads them the other way round: what it may see is an old index with a new sequence, from which
 * it skips to that sequence.
 *
 * <p>Files of earlier runs are deleted like those that this one has left, and what they have not freed in the newest file
 * goes with that file. Confined to the writer's thread.
 */
public final class SpaceReclaimer {
    private static final int MARKS = 64;
    private static final long PAGE = 4 << 10;

    /** Of a file that is newly written to, until its first index pages lie behind. */
    private static final int EXCERPTS_KEPT = 2;

    private static final long NOTHING = Long.MAX_VALUE;

    private final TopicLog log;
    private final Backlog backlog;
    private final TopicSync sync; // null: nothing is synced
    private final LongValue freedIndex;
    private final LongValue freedSequence;
    private final RollCycle roll;

    private final Mark[] marks = new Mark[MARKS];
    private int firstMark;
    private int markCount;
    private final Queue<LeftFile> leftFiles = new ArrayDeque<>();

    private File file;
    private int cycle;
    private long indexSpacing; // of the file, whatever the options say now
    private long excerptsPerIndexPage;
    private int toKeep;
    private long end; // of the newest excerpt
    private boolean isAfterIndexPage;
    private long freedTo;
    private long keepFrom = NOTHING; // an index page within what is to be freed
    private long keepTo = NOTHING;

    /** The begin of an indexed excerpt; made once and used again. */
    private static final class Mark {
        long index;
        long offset;
        long sequenceBefore;
    }

    /** A file that the writer has left: when all consumers have come to this index behind it, it goes. */
    private record LeftFile(File file, long nextIndex, long sequenceBefore) {}

    SpaceReclaimer(TopicLog log, Backlog backlog, TopicSync sync) {
        this.log = log;
        this.backlog = backlog;
        this.sync = sync;
        roll = log.queue.rollCycle();
        freedIndex = log.number(StoredMetadata.FREED_INDEX);
        freedSequence = log.number(TopicLog.FREED_SEQUENCE);
    }

    /**
     * Called after every excerpt.
     *
     * @param writtenFile that it is in
     * @param firstSequence of its frames
     * @param newEnd its last byte plus one, in bytes from the file's start
     */
    void appended(File writtenFile, long index, long firstSequence, long newEnd) {
        if (file == null || roll.toCycle(index) != cycle) {
            begin(writtenFile, index, firstSequence - 1);
        }
        long number = roll.toSequenceNumber(index);
        if (toKeep > 0) {
            toKeep--;
            freedTo = pageAfter(newEnd);
        } else if (isAfterIndexPage) {
            keepFrom = Math.min(keepFrom, pageOf(end));
            keepTo = pageAfter(newEnd);
        } else if (number % indexSpacing == 0) {
            mark(index, firstSequence - 1);
        }
        isAfterIndexPage = number % excerptsPerIndexPage == 0;
        end = newEnd;
    }

    private void begin(File next, long index, long sequenceBefore) {
        if (file != null) {
            leftFiles.add(new LeftFile(file, index, sequenceBefore));
        } else {
            for (File older : filesBefore(next)) {
                leftFiles.add(new LeftFile(older, index, sequenceBefore));
            }
        }
        StoreHeader header = header(next);
        indexSpacing = header.indexSpacing();
        excerptsPerIndexPage = indexSpacing * header.indexCount();
        file = next;
        cycle = roll.toCycle(index);
        toKeep = EXCERPTS_KEPT;
        markCount = 0;
        isAfterIndexPage = false;
        keepFrom = NOTHING;
        keepTo = NOTHING;
    }

    private StoreHeader header(File next) {
        try {
            return StoreHeader.of(next.toPath());
        } catch (IOException | UncheckedIOException | FileDefect e) {
            throw log.failed("cannot free what was read: " + next.getName(), e);
        }
    }

    /** Their names are times: an older file's comes first. */
    private static File[] filesBefore(File newest) {
        File[] older = newest.getParentFile()
                .listFiles((directory, name) ->
                        name.endsWith(SingleChronicleQueue.SUFFIX) && name.compareTo(newest.getName()) < 0);
        return older == null ? new File[0] : older;
    }

    private void mark(long index, long sequenceBefore) {
        if (markCount == MARKS) {
            return;
        }
        int slot = firstMark + markCount & MARKS - 1;
        if (marks[slot] == null) {
            marks[slot] = new Mark();
        }
        marks[slot].index = index;
        marks[slot].offset = end;
        marks[slot].sequenceBefore = sequenceBefore;
        markCount++;
    }

    /**
     * Frees what every consumer has acknowledged.
     *
     * @param below in bytes from the start of the file that is being written; files before it are deleted as a whole
     */
    void free(long below) {
        long slowest = backlog.slowestIndex();
        deleteFilesBefore(slowest);
        Mark passed = null;
        while (markCount > 0 && marks[firstMark].index <= slowest && marks[firstMark].offset <= below) {
            passed = marks[firstMark];
            firstMark = firstMark + 1 & MARKS - 1;
            markCount--;
        }
        if (passed != null && startsAt(passed.index, passed.sequenceBefore)) {
            freeUpTo(pageOf(passed.offset));
        }
    }

    private void freeUpTo(long offset) {
        long from = freedTo;
        if (keepFrom < offset) {
            punch(from, keepFrom);
            from = keepTo;
            keepFrom = NOTHING;
            keepTo = NOTHING;
        }
        punch(from, offset);
        freedTo = Math.max(from, offset);
    }

    private void punch(long from, long to) {
        if (from < to) {
            DiskSpace.free(file, from, to - from);
        }
    }

    private void deleteFilesBefore(long slowest) {
        LeftFile left = leftFiles.peek();
        if (left == null || slowest < left.nextIndex || !startsAt(left.nextIndex, left.sequenceBefore)) {
            return;
        }
        leftFiles.remove();
        try {
            Files.deleteIfExists(left.file.toPath());
        } catch (IOException e) {
            throw new TransportException(
                    "topic " + log.topic + ": cannot delete " + left.file + ": " + FileFailure.reason(e), e);
        }
        log.queue.refreshDirectoryListing();
    }

    /**
     * Names the place where new consumers start, unless a later one is named already, as when an old file is deleted after
     * a part of the newest was freed.
     *
     * @return false when a consumer has just come and perhaps not seen the place
     */
    private boolean startsAt(long index, long sequenceBefore) {
        if (index > freedIndex.getVolatileValue()) {
            freedSequence.setVolatileValue(sequenceBefore);
            freedIndex.setVolatileValue(index);
        }
        if (backlog.hasNewConsumer()) {
            return false;
        }
        if (sync != null) {
            sync.syncPositions();
        }
        return true;
    }

    private static long pageOf(long offset) {
        return offset / PAGE * PAGE;
    }

    private static long pageAfter(long offset) {
        return pageOf(offset + PAGE - 1);
    }

    void close() {
        freedIndex.close();
        freedSequence.close();
    }
}
