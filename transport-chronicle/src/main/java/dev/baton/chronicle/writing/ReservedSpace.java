package dev.baton.chronicle.writing;

import dev.baton.chronicle.ChronicleOptions;
import dev.baton.chronicle.format.Excerpt;
import dev.baton.chronicle.log.TopicLog;
import dev.baton.chronicle.platform.DiskSpace;
import java.io.File;

/**
 * The part of a writer's file for which space of the file system was taken.
 *
 * <p>Space is taken in steps, each when an excerpt might need more than there is. 256 KB took 9 us on ext4 and 79 us on
 * tmpfs, where the stores are cheaper by as much (two shared cores of a virtual AMD EPYC, Linux 6.18; a page stored
 * into for the first time took 1.4 us when reserved and 2.8 us when not). The steps of a topic end at a point that its
 * name decides, so that topics that began together do not take them in the same sweep. Confined to the writer's thread.
 */
final class ReservedSpace {
    private static final long PAGE = 4 << 10;
    private static final long LONGEST_STEP = 1 << 20;

    /** The bytes around an index page, rounded up. */
    private static final long INDEX_HEADER = 256;

    private final TopicLog log;
    private final DiskSpace space;
    private final long step;
    private final long point; // from a step's start
    private final long ahead;
    private final long longestExcerpt;
    private final long newFile;
    private final long blockSize;
    private long end; // of what is reserved in the file
    private File file; // null: none yet

    /**
     * Creates the reservation of a file that is not known yet; {@code share}, from 0 to 1, is where this topic's steps
     * end.
     */
    ReservedSpace(TopicLog log, DiskSpace space, ChronicleOptions options, double share) {
        this.log = log;
        this.space = space;
        step = Math.min(options.get(ChronicleOptions.BLOCK_SIZE), LONGEST_STEP);
        point = (long) (step * share) / PAGE * PAGE;
        longestExcerpt = Excerpt.longest(options.get(ChronicleOptions.BLOCK_SIZE));
        blockSize = options.get(ChronicleOptions.BLOCK_SIZE);
        long indexPage = options.get(ChronicleOptions.INDEX_COUNT) * (long) Long.BYTES + INDEX_HEADER;
        // an excerpt may come with an index page; the next page is touched ahead, and readers read behind the end
        ahead = 2 * indexPage + 2 * PAGE;
        newFile = options.get(ChronicleOptions.BLOCK_SIZE) + longestExcerpt + ahead;
    }

    /** Checks the space for an excerpt that begins a new file, which cannot be reserved before the file exists. */
    void requireNewFile() {
        space.requireLength(log.topic, lengthFor(newFile));
        space.require(log.topic, newFile);
    }

    /**
     * Takes the space for an excerpt unless it is taken.
     *
     * @param position of the writer in the file: the end of its last excerpt, or the beginning when the file was just
     *     opened
     */
    void require(File written, long position, long bytes) {
        if (position + bytes + ahead > end || written != file) {
            extend(written, position, bytes + ahead);
        }
    }

    /** Returns the position in the file up to which an excerpt may end without {@link #require}. */
    long roomTo() {
        return end - ahead;
    }

    /** Returns the end of the space that is taken in a file; 0 for a file in which none is. */
    long end(File of) {
        return of == file ? end : 0;
    }

    /** Returns the length that Chronicle gives a file written up to here: the block after this one, and its overlap. */
    private long lengthFor(long to) {
        return (to / blockSize + 2) * blockSize + longestExcerpt + PAGE;
    }

    private void extend(File written, long position, long bytes) {
        boolean isOther = written != file;
        long from = isOther ? position / PAGE * PAGE : end;
        long least = position + bytes + (isOther ? longestExcerpt : 0);
        long to = (least - point + step - 1) / step * step + point;
        space.requireLength(log.topic, lengthFor(to));
        space.reserve(log.topic, written, from, to - from);
        file = written;
        end = to;
    }
}
