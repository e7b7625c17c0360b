package dev.baton.chronicle;

import dev.baton.chronicle.format.Excerpt;
import dev.baton.chronicle.format.StoreHeader;
import dev.baton.spi.options.ByteSize;
import dev.baton.spi.options.Durability;
import dev.baton.spi.options.Option;
import dev.baton.spi.options.OptionSpec;
import dev.baton.spi.options.Options;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The layout and the bounds of the topics of a {@link ChronicleTransport}: {@code
 * ChronicleOptions.defaults().with(ChronicleOptions.BATCH, 64)}. The defaults suit many small queues in one process. Block
 * size, index and roll belong to a topic's files: existing files keep those that they were created with. Immutable,
 * thread-safe.
 */
public final class ChronicleOptions {
    /** The time for which one file of a topic is written to, in UTC. */
    public enum Roll {
        /** Five minutes. */
        FIVE_MINUTELY,
        /** An hour. */
        HOURLY,
        /** A day. */
        DAILY
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

    static final int LEAST_BLOCK = 64 << 10;
    private static final int INDEX_BYTES_PER_ENTRY = 32;
    private static final String POWER_OF_TWO = ", a power of two";

    /** Bytes mapped at a time; decides the longest payload: 65,408 bytes up to 262,144, above that a quarter less 128. */
    public static final Option<Integer> BLOCK_SIZE = Option.bytes(
                    "block-size",
                    256 << 10,
                    LEAST_BLOCK,
                    4 * Excerpt.LONGEST,
                    POWER_OF_TWO,
                    "bytes of the file that are mapped at a time")
            .where(ChronicleOptions::isPowerOfTwo);

    /** Entries of an index page, up to {@code BLOCK_SIZE / 32}. */
    public static final Option<Integer> INDEX_COUNT = Option.number(
                    "index-count", 2 << 10, 8, StoreHeader.MAX_INDEX_COUNT, POWER_OF_TWO, "entries of an index page")
            .where(ChronicleOptions::isPowerOfTwo);

    /**
     * Excerpts from one index entry to the next; a file holds {@code INDEX_COUNT * INDEX_COUNT * INDEX_SPACING} excerpts, and
     * one more is an error.
     */
    public static final Option<Integer> INDEX_SPACING = Option.number(
                    "index-spacing", 1 << 10, 1, StoreHeader.MAX_INDEX_SPACING, POWER_OF_TWO, "excerpts per entry")
            .where(ChronicleOptions::isPowerOfTwo);

    /** Time for which one file is written to. */
    public static final Option<Roll> ROLL =
            Option.choice("roll", Roll.DAILY, "", "how long one file is written to", List.of(Roll.values()));

    /**
     * Failure that a stored frame survives. {@link Durability#PROCESS}: the page cache has the frames, and a power failure may
     * take them. {@link Durability#HOST}: the storage device has the frames. One {@code fdatasync} at each flush serves all
     * that it wrote, and excerpts have checksums. A writer ends at the first sync that fails, and confirms nothing after it.
     * Opening a writer syncs all files of its topic.
     */
    public static final Option<Durability> DURABILITY = Option.choice(
            Durability.OPTION,
            Durability.PROCESS,
            ", as a queue is a file of one machine",
            "what stored messages survive: the process, or with a sync per flush a power failure",
            List.of(Durability.PROCESS, Durability.HOST));

    /**
     * Frames that the slowest consumer may be behind before its topic's writer is refused; a topic that no consumer ever read
     * is not bounded.
     */
    public static final Option<Integer> BACKLOG = Option.number(
            "backlog",
            4 << 20,
            1,
            Integer.MAX_VALUE,
            " frames",
            "how many frames the slowest consumer may be behind before the writer waits");

    /** Frames that one flush may hold. */
    public static final Option<Integer> BATCH =
            Option.number("batch", 256, 1, 64 << 10, " frames", "the most that one flush may hold");

    /** Messages that a topic keeps. */
    public static final Option<Retention> RETENTION = Option.choice(
            "retention",
            Retention.AS_STORED,
            "",
            "what is kept; as-stored: as set when the directory was made (a new one: all); all: everything; unread: what"
                    + " some consumer has not acknowledged",
            List.of(Retention.values()));

    /**
     * Bytes of the file system that writers leave free; where there is less, a writer stops with a {@link
     * dev.baton.spi.errors.TransportException} before it begins what it cannot finish.
     */
    public static final Option<Integer> MIN_FREE = Option.bytes(
            "min-free",
            16 << 20,
            0,
            Integer.MAX_VALUE,
            "",
            "bytes of the file system that stay free: with less, writers stop");

    static final OptionSpec DIR =
            new OptionSpec("dir", "", "a directory, created if missing", "where the topics lie, one directory each");

    static final Option<Links> LINKS = Option.choice(
            "links", Links.REFUSE, "", "symbolic links in place of dir or of a topic", List.of(Links.values()));

    private static final List<Option<?>> LAYOUT =
            List.of(BLOCK_SIZE, INDEX_COUNT, INDEX_SPACING, ROLL, DURABILITY, BACKLOG, BATCH, RETENTION, MIN_FREE);

    /** All options of the provider: the place of the topics, then the layout, then the treatment of links. */
    static final List<OptionSpec> SPECS = Stream.of(
                    Stream.of(DIR), LAYOUT.stream().map(Option::spec), Stream.of(LINKS.spec()))
            .flatMap(specs -> specs)
            .collect(Collectors.toUnmodifiableList());

    private static final ChronicleOptions DEFAULTS =
            new ChronicleOptions(new Options(ChronicleTransport.NAME, SPECS, Map.of()));

    private final Options options;

    /** Checks every value, and the dependencies between options. */
    ChronicleOptions(Options options) {
        this.options = options;
        options.typed(LAYOUT); // or refuses a value
        if (get(INDEX_COUNT) > get(BLOCK_SIZE) / INDEX_BYTES_PER_ENTRY) {
            throw new IllegalArgumentException(ChronicleTransport.NAME + ": index-count " + get(INDEX_COUNT)
                    + " needs a block-size of at least "
                    + ByteSize.text((long) get(INDEX_COUNT) * INDEX_BYTES_PER_ENTRY) + ", it is "
                    + ByteSize.text(get(BLOCK_SIZE)));
        }
    }

    /** {@return the defaults} */
    public static ChronicleOptions defaults() {
        return DEFAULTS;
    }

    /**
     * {@return the value of an option}
     *
     * @param <T> type of its values
     * @param option one of the constants of this class
     */
    public <T> T get(Option<T> option) {
        return options.get(option);
    }

    /**
     * {@return these options with another value of one of them}
     *
     * @param <T> type of its values
     * @param option one of the constants of this class
     * @param value its value
     * @throws IllegalArgumentException when the value is not allowed, or not with the other options
     */
    public <T> ChronicleOptions with(Option<T> option, T value) {
        return new ChronicleOptions(options.with(option, value));
    }

    private static boolean isPowerOfTwo(int value) {
        return Integer.bitCount(value) == 1;
    }

    /** Returns the options as typed. */
    @Override
    public String toString() {
        return options.typed(LAYOUT);
    }
}
