package dev.baton.chronicle.writing;

import dev.baton.chronicle.consumers.Backlog;
import dev.baton.chronicle.format.FileDefect;
import dev.baton.chronicle.format.StoreHeader;
import dev.baton.chronicle.format.StoredPosition;
import dev.baton.chronicle.log.TopicLog;
import dev.baton.chronicle.platform.DiskSpace;
import dev.baton.chronicle.platform.FileFailure;
import dev.baton.spi.errors.TransportException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.Queue;
import net.openhft.chronicle.queue.RollCycle;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;

/**
 * Frees the space of frames that every consumer has acknowledged, while the topic is written: a file's older part is
 * freed in place, and a file that no consumer needs is deleted.
 *
 * <p>The following parts stay, because Chronicle finds a place in a file by its index: the start of the file with the
 * first index pages, every later index page, and everything from the last indexed excerpt at or before the slowest
 * consumer's position. So space is freed up to a <i>mark</i>: the begin of an indexed excerpt. Marks of the newest
 * excerpts are kept in a ring; when it is full because a consumer lags, new ones are omitted and space is freed later.
 *
 * <p>A consumer that is added after something was freed starts at the oldest mark that is left, which the metadata
 * names. The consumer is added first, which stops the freeing, and reads the mark afterwards; the writer stores the new
 * mark first and then checks whether a consumer was added. So one of the two notices the other.
 *
 * <p>Files of earlier runs are deleted like those that this writer has left, and what earlier runs have not freed in
 * the newest file is freed with that file. Confined to the writer's thread.
 */
final class SpaceReclaimer {
    private static final int MARKS = 64;
    private static final long PAGE = 4 << 10;

    /** The excerpts at the start of a new file that stay, until its first index pages lie behind. */
    private static final int EXCERPTS_KEPT = 2;

    private static final long NOTHING = Long.MAX_VALUE;

    private final TopicLog log;
    private final Backlog backlog;
    private final TopicSync sync; // null: nothing is synced
    private final StoredPosition freed;
    private final RollCycle roll;

    private final Mark[] marks = new Mark[MARKS];
    private int firstMark;
    private int markCount;
    private final Queue<LeftFile> leftFiles = new ArrayDeque<>();

    private File file;
    private int cycle;
    private long indexSpacing; // of the file, whatever the options are now
    private long excerptsPerIndexPage;
    private int toKeep;
    private boolean isContinued; // the file is an earlier writer's, and has got no index entry by this one
    private long end; // of the newest excerpt
    private long nextDue; // the index of the next excerpt that is more than counted
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

    /** A file that the writer has left; it is deleted when all consumers have reached this index behind it. */
    private record LeftFile(File file, long nextIndex, long sequenceBefore) {}

    SpaceReclaimer(TopicLog log, Backlog backlog, TopicSync sync) {
        this.log = log;
        this.backlog = backlog;
        this.sync = sync;
        roll = log.queue.rollCycle();
        freed = log.freedPosition();
    }

    /**
     * Notes an excerpt that was appended.
     *
     * @param firstSequence of its frames
     * @param newEnd its last byte plus one, in bytes from the file's start
     */
    void appended(File writtenFile, long index, long firstSequence, long newEnd) {
        if (file == null || roll.toCycle(index) != cycle) {
            begin(writtenFile, index, firstSequence - 1);
        }
        if (index >= nextDue) {
            indexed(index, firstSequence, newEnd);
        }
        end = newEnd;
    }

    /** Notes an excerpt that is indexed, or follows an index page, or begins a file. */
    private void indexed(long index, long firstSequence, long newEnd) {
        long number = roll.toSequenceNumber(index);
        // also behind an excerpt of another program, which may be the one with the page
        isAfterIndexPage |= number > 0
                && (number - 1) / excerptsPerIndexPage * excerptsPerIndexPage >= roll.toSequenceNumber(nextDue);
        if (isContinued) { // a page that a killed writer left out comes with the next entry
            isContinued = number % indexSpacing != 0;
            toKeep = EXCERPTS_KEPT;
        }
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
        boolean isNextIndexed = toKeep == 0 && !isAfterIndexPage;
        nextDue = index + (isNextIndexed ? indexSpacing - number % indexSpacing : 1);
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
        nextDue = index;
        toKeep = EXCERPTS_KEPT;
        isContinued = roll.toSequenceNumber(index) > 0;
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

    /** Returns the older files; names are times. */
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
     * Frees the frames that every consumer has acknowledged.
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

    /** Deletes the files that every consumer has read, when the writer has begun another one. */
    void deleteReadFiles() {
        deleteFilesBefore(backlog.slowestIndex());
    }

    private void deleteFilesBefore(long slowest) {
        boolean isAny = false;
        for (LeftFile left = leftFiles.peek();
                left != null && slowest >= left.nextIndex && startsAt(left.nextIndex, left.sequenceBefore);
                left = leftFiles.peek()) {
            leftFiles.remove();
            try {
                Files.deleteIfExists(left.file.toPath());
            } catch (IOException e) {
                throw new TransportException(
                        "topic " + log.topic + ": cannot delete " + left.file + ": " + FileFailure.reason(e), e);
            }
            isAny = true;
        }
        if (isAny) {
            log.queue.refreshDirectoryListing();
        }
    }

    /**
     * Stores the mark where new consumers start, unless a later one is stored already, as when an old file is deleted
     * after a part of the newest was freed.
     *
     * @return false when a consumer was just added, which may not have read the mark
     */
    private boolean startsAt(long index, long sequenceBefore) {
        log.read(freed);
        if (index > freed.index()) {
            freed.set(sequenceBefore, index);
        }
        VarHandle.fullFence(); // the store of the mark comes before the load of the count
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
        freed.close();
    }
}
