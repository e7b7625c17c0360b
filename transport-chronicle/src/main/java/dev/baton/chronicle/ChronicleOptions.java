package dev.baton.chronicle;

import dev.baton.chronicle.format.Excerpt;
import dev.baton.chronicle.format.StoreHeader;
import dev.baton.spi.options.ByteSize;
import java.util.Locale;

/**
 * The layout and the bounds of the topics of a {@link ChronicleTransport}. Immutable, thread-safe.
 *
 * <p>Block size, index and roll belong to a topic's files: existing files keep those that they were created with.
 *
 * @param blockSize bytes mapped at a time for each topic, a power of two from 65,536 (the default 262,144) to
 *     67,108,864; decides the longest payload: 65,408 bytes up to 262,144, above that a quarter less 128
 * @param indexCount entries of an index page, a power of two from 8 to 32,768 and to {@code blockSize / 32} (2,048)
 * @param indexSpacing excerpts from one index entry to the next, a power of two from 1 to 65,536 (1,024); a file holds
 *     {@code indexCount * indexCount * indexSpacing} excerpts, and one more is an error
 * @param roll time for which one file is written to (a day)
 * @param durability failure that a stored frame survives (the end of the process)
 * @param backlog frames that the slowest consumer may be behind before its topic's writer is refused, from 1
 *     (4,194,304); a topic that no consumer ever read is not bounded
 * @param batch frames that one flush may hold, 1 to 65,536 (256)
 * @param retention messages that a topic keeps (as the directory has it: everything in a new one)
 * @param minFreeBytes space of the file system that writers leave free, from 0 (16,777,216); where there is less, a
 *     writer stops with a {@link dev.baton.spi.errors.TransportException} before it begins what it cannot finish
 */
public record ChronicleOptions(
        int blockSize,
        int indexCount,
        int indexSpacing,
        Roll roll,
        Durability durability,
        int backlog,
        int batch,
        Retention retention,
        int minFreeBytes) {
    static final int LEAST_BLOCK = 64 << 10;
    static final int LARGEST_BLOCK = 4 * Excerpt.LONGEST;
    static final int LEAST_INDEX_COUNT = 8;
    static final int MOST_INDEX_COUNT = StoreHeader.MAX_INDEX_COUNT;
    static final int MOST_INDEX_SPACING = StoreHeader.MAX_INDEX_SPACING;
    static final int MOST_BATCH = 64 << 10;

    private static final int INDEX_BYTES_PER_ENTRY = 32;

    private static final ChronicleOptions DEFAULTS = new ChronicleOptions(
            256 << 10, 2 << 10, 1 << 10, Roll.DAILY, Durability.PROCESS, 4 << 20, 256, Retention.AS_STORED, 16 << 20);

    /** The time for which one file of a topic is written to, in UTC. */
    public enum Roll {
        /** Five minutes. */
        FIVE_MINUTELY,
        /** An hour. */
        HOURLY,
        /** A day. */
        DAILY
    }

    /** The failure that a stored frame survives. A queue lies on one machine, so there is no replicated one. */
    public enum Durability {
        /** The end of the process: the page cache has the frames. A power failure may take them. */
        PROCESS,
        /**
         * A power failure: the storage device has the frames. One {@code fdatasync} at each flush serves all that it
         * wrote, and excerpts have checksums. A writer ends at the first sync that fails, and confirms nothing after
         * it. Opening a writer syncs all files of its topic.
         */
        HOST
    }

    /**
     * The messages that a topic keeps. The process that creates the first topic of a directory stores the choice there,
     * and a process with another one is refused, so that all keep the same.
     */
    public enum Retention {
        /** The directory's stored choice; a new directory gets {@link #ALL}, which removes nothing. */
        AS_STORED,
        /** Everything, until files are deleted. */
        ALL,
        /**
         * Messages that some consumer of the topic has not acknowledged, and a few before them. The space of all others
         * is freed while the topic is written. A consumer that is added later starts at the oldest frame left.
         * Chronicle's own tools read zeros where frames were. Linux with ext4, XFS, Btrfs or tmpfs.
         */
        UNREAD
    }

    /**
     * Checks every range.
     *
     * @param blockSize a power of two from 65,536 to 67,108,864
     * @param indexCount a power of two from 8 to 32,768 and to {@code blockSize / 32}
     * @param indexSpacing a power of two from 1 to 65,536
     * @param roll any
     * @param durability any
     * @param backlog from 1
     * @param batch 1 to 65,536
     * @param retention any
     * @param minFreeBytes from 0
     */
    public ChronicleOptions {
        if (blockSize < LEAST_BLOCK || blockSize > LARGEST_BLOCK || Integer.bitCount(blockSize) != 1) {
            throw new IllegalArgumentException("block-size is " + blockSize + ", it must be "
                    + ByteSize.range(LEAST_BLOCK, LARGEST_BLOCK) + ", a power of two");
        }
        powerOfTwo("index-count", indexCount, LEAST_INDEX_COUNT, MOST_INDEX_COUNT);
        powerOfTwo("index-spacing", indexSpacing, 1, MOST_INDEX_SPACING);
        if (indexCount > blockSize / INDEX_BYTES_PER_ENTRY) {
            throw new IllegalArgumentException("index-count " + indexCount + " needs a block-size of at least "
                    + ByteSize.text((long) indexCount * INDEX_BYTES_PER_ENTRY) + ", it is " + ByteSize.text(blockSize));
        }
        within("backlog", backlog, 1, Integer.MAX_VALUE);
        within("batch", batch, 1, MOST_BATCH);
        if (minFreeBytes < 0) {
            throw new IllegalArgumentException(
                    "min-free is " + minFreeBytes + ", it must be " + ByteSize.range(0, Integer.MAX_VALUE));
        }
    }

    /** {@return the defaults: many small queues in one process} */
    public static ChronicleOptions defaults() {
        return DEFAULTS;
    }

    /**
     * {@return these options with another {@link #blockSize}}
     *
     * @param bytes a power of two from 65,536 to 67,108,864
     */
    public ChronicleOptions withBlockSize(int bytes) {
        return new ChronicleOptions(
                bytes, indexCount, indexSpacing, roll, durability, backlog, batch, retention, minFreeBytes);
    }

    /**
     * {@return these options with another {@link #indexCount} and {@link #indexSpacing}: both at once, as they bound the
     * excerpts of a file together}
     *
     * @param count entries of an index page
     * @param spacing excerpts from one entry to the next
     */
    public ChronicleOptions withIndex(int count, int spacing) {
        return new ChronicleOptions(
                blockSize, count, spacing, roll, durability, backlog, batch, retention, minFreeBytes);
    }

    /**
     * {@return these options with another {@link #roll}}
     *
     * @param cycle for files that are made from now on
     */
    public ChronicleOptions withRoll(Roll cycle) {
        return new ChronicleOptions(
                blockSize, indexCount, indexSpacing, cycle, durability, backlog, batch, retention, minFreeBytes);
    }

    /**
     * {@return these options with another {@link #durability}}
     *
     * @param stored failure that a stored frame survives
     */
    public ChronicleOptions withDurability(Durability stored) {
        return new ChronicleOptions(
                blockSize, indexCount, indexSpacing, roll, stored, backlog, batch, retention, minFreeBytes);
    }

    /**
     * {@return these options with another {@link #backlog}}
     *
     * @param frames from 1
     */
    public ChronicleOptions withBacklog(int frames) {
        return new ChronicleOptions(
                blockSize, indexCount, indexSpacing, roll, durability, frames, batch, retention, minFreeBytes);
    }

    /**
     * {@return these options with another {@link #batch}}
     *
     * @param frames 1 to 65,536
     */
    public ChronicleOptions withBatch(int frames) {
        return new ChronicleOptions(
                blockSize, indexCount, indexSpacing, roll, durability, backlog, frames, retention, minFreeBytes);
    }

    /**
     * {@return these options with another {@link #retention}}
     *
     * @param what stays of a topic
     */
    public ChronicleOptions withRetention(Retention what) {
        return new ChronicleOptions(
                blockSize, indexCount, indexSpacing, roll, durability, backlog, batch, what, minFreeBytes);
    }

    /**
     * {@return these options with other {@link #minFreeBytes}}
     *
     * @param bytes from 0
     */
    public ChronicleOptions withMinFree(int bytes) {
        return new ChronicleOptions(
                blockSize, indexCount, indexSpacing, roll, durability, backlog, batch, retention, bytes);
    }

    /** Returns the options as they would be typed. */
    String typed() {
        return "block-size=" + ByteSize.text(blockSize) + " index-count=" + indexCount + " index-spacing="
                + indexSpacing + " roll="
                + typed(roll) + " durability=" + typed(durability) + " backlog=" + backlog + " batch=" + batch
                + " retention=" + typed(retention) + " min-free=" + ByteSize.text(minFreeBytes);
    }

    static String typed(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static void powerOfTwo(String name, int value, int least, int most) {
        if (value < least || value > most || Integer.bitCount(value) != 1) {
            throw new IllegalArgumentException(
                    name + " is " + value + ", it must be a power of two from " + least + " to " + most);
        }
    }

    private static void within(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " is " + value + ", it must be " + least + " to " + most);
        }
    }
}
