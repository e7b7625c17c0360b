package dev.baton.chronicle;

import dev.baton.chronicle.ChronicleOptions.Durability;
import dev.baton.chronicle.ChronicleOptions.Retention;
import dev.baton.chronicle.ChronicleOptions.Roll;
import dev.baton.chronicle.format.QueueFormat;
import dev.baton.chronicle.platform.RuntimeRequirements;
import dev.baton.spi.Guarantee;
import dev.baton.spi.TopicFootprint;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.options.ByteSize;
import dev.baton.spi.options.OptionSpec;
import dev.baton.spi.options.Options;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Opens a {@link ChronicleTransport} by name. Thread-safe. */
public final class ChronicleProvider implements TransportProvider {
    private static final String DIR = "dir";
    private static final String BLOCK_SIZE = "block-size";
    private static final String INDEX_COUNT = "index-count";
    private static final String INDEX_SPACING = "index-spacing";
    private static final String ROLL = "roll";
    private static final String DURABILITY = "durability";
    private static final String BACKLOG = "backlog";
    private static final String BATCH = "batch";
    private static final String RETENTION = "retention";
    private static final String MIN_FREE = "min-free";
    private static final String LINKS = "links";

    /** True where space of acknowledged frames can be freed, which keeps the queues of a trial small. */
    private static final boolean CAN_FREE_SPACE = System.getProperty("os.name").equals("Linux");

    /** The index spacing with many topics: the excerpts that stay beside the unread ones, some 2 KB each under load. */
    private static final String MANY_TOPICS_SPACING = "16";

    private static final long KILO = 1 << 10;

    /**
     * The objects around a mapped block live as long as it is mapped, 16 s at 1,000 messages a second: a collection copies
     * nearly all that was allocated. At 900 chains it stopped all loops for 15 ms every 7 s with 16 MB, 20 ms every 15 s
     * with 32, 48 ms with 100, and 85 to 101 ms every two minutes with 280, which alone broke a limit of 100 ms
     * (docs/decisions/007).
     */
    private static final long MAX_YOUNG_BYTES = 16 << 20;

    /** Blocks that a topic takes while acknowledged frames are freed: two, and what consumers lag in an overload. */
    private static final long UNREAD_BLOCKS = 4;

    /** Creates the provider; called by {@link java.util.ServiceLoader}. */
    public ChronicleProvider() {}

    @Override
    public String name() {
        return ChronicleTransport.NAME;
    }

    @Override
    public String summary() {
        String known = QueueFormat.ofLibrary().isKnown() ? "" : ", whose file format is unknown";
        return "Chronicle Queue " + QueueFormat.libraryVersion() + known + ": memory-mapped files, one machine";
    }

    @Override
    public Set<Guarantee> guarantees() {
        return ChronicleTransport.guarantees(QueueFormat.ofLibrary());
    }

    @Override
    public List<OptionSpec> options() {
        ChronicleOptions defaults = ChronicleOptions.defaults();
        return List.of(
                new OptionSpec(DIR, "", "a directory, made when missing", "where the topics lie, one directory each"),
                OptionSpec.ofBytes(
                        BLOCK_SIZE,
                        defaults.blockSize(),
                        ChronicleOptions.LEAST_BLOCK,
                        ChronicleOptions.LARGEST_BLOCK,
                        ", a power of two",
                        "mapped at a time"),
                number(INDEX_COUNT, defaults.indexCount(), "8 to 32768, a power of two", "entries of an index page"),
                number(INDEX_SPACING, defaults.indexSpacing(), "1 to 65536, a power of two", "excerpts per entry"),
                new OptionSpec(
                        ROLL,
                        ChronicleOptions.typed(defaults.roll()),
                        "five-minutely, hourly or daily",
                        "how long one file is written to"),
                new OptionSpec(
                        DURABILITY,
                        ChronicleOptions.typed(defaults.durability()),
                        "process or host, as a queue is a file of one machine",
                        "what stored messages survive: the process, or with a sync per flush a power failure"),
                number(BACKLOG, defaults.backlog(), "1 to 2147483647 frames", "unread frames that stop the writer"),
                number(BATCH, defaults.batch(), "1 to 65536 frames", "the most that one flush may hold"),
                new OptionSpec(
                        RETENTION,
                        ChronicleOptions.typed(defaults.retention()),
                        "as-stored, all or unread",
                        "what stays: as the directory has it (a new one: all), everything, or what some consumer has not"
                                + " acknowledged"),
                OptionSpec.ofBytes(
                        MIN_FREE,
                        defaults.minFreeBytes(),
                        0,
                        Integer.MAX_VALUE,
                        "",
                        "of the file system, left free: with less, writers stop"),
                new OptionSpec(LINKS, "refuse", "refuse or follow", "symbolic links in place of dir or of a topic"));
    }

    @Override
    public List<String> jvmFlags(int featureVersion) {
        return RuntimeRequirements.jvmFlags(featureVersion);
    }

    @Override
    public Map<String, String> manyTopicsOptions(int payloadBytes, double framesPerSecond) {
        return CAN_FREE_SPACE
                ? Map.of(RETENTION, ChronicleOptions.typed(Retention.UNREAD), INDEX_SPACING, MANY_TOPICS_SPACING)
                : Map.of();
    }

    /** Returns options with which acknowledged frames are removed, and files change often enough to show it. */
    @Override
    public Map<String, String> longRunOptions() {
        return CAN_FREE_SPACE
                ? Map.of(
                        RETENTION,
                        ChronicleOptions.typed(Retention.UNREAD),
                        ROLL,
                        ChronicleOptions.typed(Roll.FIVE_MINUTELY),
                        BLOCK_SIZE,
                        Integer.toString(ChronicleOptions.LEAST_BLOCK),
                        INDEX_SPACING,
                        "64")
                : Map.of();
    }

    /**
     * Returns figures from {@code /proc} and the class histogram of trials with 20 and 200 chains of six topics, rounded up: 20
     * KB of heap, 2 descriptors and one more to sync, 4 maps with the next block and the last one, at most 69 bytes a frame.
     */
    @Override
    public TopicFootprint topicFootprint(Map<String, String> options) {
        boolean isFreed = ChronicleOptions.typed(Retention.UNREAD).equals(options.get(RETENTION));
        boolean isSynced = ChronicleOptions.typed(Durability.HOST).equals(options.get(DURABILITY));
        return new TopicFootprint(
                48 * KILO,
                0,
                isSynced ? 4 : 2,
                4.5,
                128 * KILO,
                72,
                isFreed ? UNREAD_BLOCKS * blockBytes(options.get(BLOCK_SIZE)) : TopicFootprint.UNBOUNDED,
                MAX_YOUNG_BYTES);
    }

    private static long blockBytes(String typed) {
        try {
            return typed == null ? ChronicleOptions.defaults().blockSize() : ByteSize.parse(typed);
        } catch (IllegalArgumentException refused) { // open() reports it
            return ChronicleOptions.defaults().blockSize();
        }
    }

    @Override
    public Transport open(Map<String, String> options) {
        Options given = new Options(ChronicleTransport.NAME, options(), options);
        ChronicleOptions chosen = options(given);
        return ChronicleTransport.in(directory(given), chosen, given.choice(LINKS, Links.class));
    }

    @Override
    public Transport openForInspection(Map<String, String> options) {
        Options given = new Options(ChronicleTransport.NAME, options(), options);
        options(given); // unused here, but invalid ones are refused
        return new ReadOnlyTransport(directory(given), given.choice(LINKS, Links.class));
    }

    private static ChronicleOptions options(Options given) {
        return new ChronicleOptions(
                given.bytes(BLOCK_SIZE, ChronicleOptions.LEAST_BLOCK, ChronicleOptions.LARGEST_BLOCK),
                given.integer(INDEX_COUNT, ChronicleOptions.LEAST_INDEX_COUNT, ChronicleOptions.MOST_INDEX_COUNT),
                given.integer(INDEX_SPACING, 1, ChronicleOptions.MOST_INDEX_SPACING),
                given.choice(ROLL, Roll.class),
                given.choice(DURABILITY, Durability.class),
                given.integer(BACKLOG, 1, Integer.MAX_VALUE),
                given.integer(BATCH, 1, ChronicleOptions.MOST_BATCH),
                given.choice(RETENTION, Retention.class),
                given.bytes(MIN_FREE, 0, Integer.MAX_VALUE));
    }

    private static Path directory(Options given) {
        String dir = given.text(DIR);
        if (dir.isBlank()) {
            throw new IllegalArgumentException(
                    ChronicleTransport.NAME + ": give dir=DIRECTORY, where the topics lie; there is no default");
        }
        return Path.of(dir);
    }

    private static OptionSpec number(String name, int defaultValue, String allowed, String description) {
        return new OptionSpec(name, Integer.toString(defaultValue), allowed, description);
    }
}
