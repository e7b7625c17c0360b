package dev.baton.chronicle.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The part of a topic that was written and not confirmed when the power failed, of which any pages may be left.
 *
 * <p>All that was confirmed is whole. Behind it, excerpts count as long as each is whole and follows the one before it. The
 * first that does not, and everything behind it, is removed: its bytes become zeros, newer files are deleted, and what the
 * file's header and index have of it is cleared. Where the whole excerpts do not reach the newest confirmed frame, nothing
 * is changed, as that is damage.
 *
 * <p>A writer that does not sync confirms nothing that a power failure would leave. Where the confirmed frames are not reached,
 * what follows the last whole excerpt of the two newest files is removed all the same, unless a whole excerpt follows it:
 * then it is no tail. Confined to one thread, while no writer is open.
 */
final class TornTail {
    private static final int CHUNK = 64 << 10;

    private final Path directory;
    private final long confirmed;
    private final long freed;
    private final long freedIndex;
    private final boolean isSynced;

    /**
     * Creates the search for it.
     *
     * @param confirmed a sequence that was confirmed, and the newest one that is known to be
     * @param freed newest sequence that was freed, and index of the oldest excerpt left; zeros if nothing was freed
     * @param isSynced whether frames were synced before they were confirmed
     */
    TornTail(Path directory, long confirmed, StoredPosition.Value freed, boolean isSynced) {
        this.directory = directory;
        this.confirmed = Math.max(confirmed, freed.sequence());
        this.freed = freed.sequence();
        freedIndex = freed.index();
        this.isSynced = isSynced;
    }

    /** Removes the tail, and returns what was removed, for a report; null for nothing. */
    String remove() throws IOException {
        List<Path> files = QueueFiles.in(directory);
        return remove(files, firstToCheck(files), confirmed);
    }

    /** Removes the tail behind the excerpts that are whole, which have to reach a sequence. */
    private String remove(List<Path> files, int first, long least) throws IOException {
        long newest = 0;
        for (int i = first; i < files.size(); i++) {
            Path file = files.get(i);
            try (ExcerptScan scan = new ExcerptScan(file)) {
                boolean isMade = isMade(scan);
                if (isMade) {
                    scan.goToConfirmed(least, number(file));
                    newest = Math.max(newest, scan.moveBehindWhole(least, newest));
                }
                boolean isEnded = isMade && scan.isAtEndMark() && i < files.size() - 1;
                if (newest < least && !isEnded) {
                    return isSynced || least == freed ? null : remove(files, Math.max(0, files.size() - 2), freed);
                }
                if (least < confirmed && !isEnded && isFollowed(scan, files.subList(i + 1, files.size()))) {
                    return null;
                }
                boolean isEmpty = !isMade || scan.begin() == 0;
                long removed = isEmpty ? 0 : clear(scan);
                if (isEmpty || removed > 0) {
                    List<Path> gone = files.subList(isEmpty ? i : i + 1, files.size());
                    for (Path each : gone) {
                        Files.deleteIfExists(each);
                    }
                    if (!isEmpty || i > 0) {
                        removeMark(isEmpty ? files.get(i - 1) : file);
                    }
                    return (isEmpty ? "" : removed + " bytes at " + scan.position() + " of " + file.getFileName())
                            + (gone.isEmpty() ? "" : " files " + gone) + ", behind sequence " + newest;
                }
                if (i < files.size() - 1) {
                    mark(file, scan.position(), DocumentHeader.END_OF_FILE_AND_NAME);
                }
            }
        }
        if (!files.isEmpty()) {
            removeMark(files.get(files.size() - 1));
        }
        return null;
    }

    private static boolean isFollowed(ExcerptScan scan, List<Path> newer) throws IOException {
        boolean isFollowed = scan.isFollowed();
        for (Path file : newer) {
            try (ExcerptScan next = new ExcerptScan(file)) {
                isFollowed |= next.isFollowed();
            }
        }
        return isFollowed;
    }

    /** Returns the newest file with a confirmed frame. */
    private int firstToCheck(List<Path> files) throws IOException {
        for (int i = files.size() - 1; i > 0; i--) {
            try (ExcerptScan scan = new ExcerptScan(files.get(i))) {
                if (isMade(scan) && scan.goToConfirmed(confirmed, number(files.get(i)))) {
                    return i;
                }
            }
        }
        return 0;
    }

    private long number(Path file) {
        return freedIndex == 0 ? 0 : QueueFiles.number(file, freedIndex);
    }

    private static boolean isMade(ExcerptScan scan) {
        try {
            return scan.isMade();
        } catch (FileDefect torn) {
            return false;
        }
    }

    /** Removes the mark at the end of the newest file, in which the topic may continue. */
    private void removeMark(Path file) throws IOException {
        try (ExcerptScan scan = new ExcerptScan(file)) {
            if (isMade(scan)) {
                scan.goToConfirmed(confirmed, number(file));
                scan.moveBehindWhole(confirmed, 0);
                if (scan.isAtEndMark()) {
                    mark(file, scan.position(), 0);
                }
            }
        }
    }

    private static void mark(Path file, long end, long mark) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            write(channel, end, mark);
        }
    }

    /** Clears what lies behind the end of a scan, and what refers to it; returns the bytes that were not zero. */
    private static long clear(ExcerptScan scan) throws IOException {
        try (FileChannel channel = FileChannel.open(scan.path(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long references = 0;
            for (long place : scan.referencesBehind()) {
                references += Long.BYTES;
                write(channel, place, 0);
            }
            long removed = zero(channel, scan.end());
            if (scan.last() != scan.begin()) {
                write(channel, scan.header().lastAt(), scan.begin());
                write(channel, scan.header().lastAt() + Long.BYTES, 0);
            }
            return references + removed;
        }
    }

    private static void write(FileChannel channel, long place, long value) throws IOException {
        channel.write(
                ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value), place);
    }

    /** Writes zeros in place of all other bytes from here on; holes stay. */
    private static long zero(FileChannel channel, long from) throws IOException {
        long removed = 0;
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
        for (long at = from; channel.read(chunk.clear(), at) > 0; at += chunk.position()) {
            int end = chunk.position();
            int used = 0;
            for (int i = 0; i < end; i++) {
                used += chunk.get(i) == 0 ? 0 : 1;
            }
            if (used > 0) {
                removed += used;
                channel.write(ByteBuffer.allocate(end), at);
            }
        }
        return removed;
    }
}
