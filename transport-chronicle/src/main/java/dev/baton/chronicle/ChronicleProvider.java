package dev.baton.chronicle;

import dev.baton.chronicle.ChronicleOptions.Retention;
import dev.baton.chronicle.ChronicleOptions.Roll;
import dev.baton.chronicle.format.QueueFormat;
import dev.baton.chronicle.platform.RuntimeRequirements;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.TransportProvider.TopicFootprint;
import dev.baton.spi.options.ByteSize;
import dev.baton.spi.options.Durability;
import dev.baton.spi.options.Option;
import dev.baton.spi.options.OptionSpec;
import dev.baton.spi.options.Options;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Opens a {@link ChronicleTransport} by name. Thread-safe. */
public final class ChronicleProvider implements TransportProvider {
    /** True where space of acknowledged frames can be freed, which keeps the queues of a trial small. */
    private static final boolean CAN_FREE_SPACE = System.getProperty("os.name").equals("Linux");

    /** The index spacing with many topics: the excerpts that stay beside the unread ones, some 2 KB each under load. */
    private static final int MANY_TOPICS_SPACING = 16;

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
        String known = format().isKnown() ? "" : ", whose file format is unknown";
        return "Chronicle Queue " + QueueFormat.libraryVersion() + known + ": memory-mapped files, one machine";
    }

    @Override
    public Set<Guarantee> guarantees() {
        return ChronicleTransport.guarantees(format());
    }

    static QueueFormat format() {
        RuntimeRequirements.keepQuiet(); // as it may write a queue
        return QueueFormat.ofLibrary();
    }

    @Override
    public List<OptionSpec> options() {
        return ChronicleOptions.SPECS;
    }

    @Override
    public List<String> jvmFlags(int featureVersion) {
        return RuntimeRequirements.jvmFlags(featureVersion);
    }

    @Override
    public Map<String, String> manyTopicsOptions(int payloadBytes, double framesPerSecond) {
        return CAN_FREE_SPACE
                ? Map.ofEntries(
                        typed(ChronicleOptions.RETENTION, Retention.UNREAD),
                        typed(ChronicleOptions.INDEX_SPACING, MANY_TOPICS_SPACING))
                : Map.of();
    }

    /** Returns options with which acknowledged frames are removed, and files change often enough to show it. */
    @Override
    public Map<String, String> longRunOptions() {
        return CAN_FREE_SPACE
                ? Map.ofEntries(
                        typed(ChronicleOptions.RETENTION, Retention.UNREAD),
                        typed(ChronicleOptions.ROLL, Roll.FIVE_MINUTELY),
                        typed(ChronicleOptions.BLOCK_SIZE, ChronicleOptions.LEAST_BLOCK),
                        typed(ChronicleOptions.INDEX_SPACING, 64))
                : Map.of();
    }

    private static <T> Map.Entry<String, String> typed(Option<T> option, T value) {
        return Map.entry(option.spec().name(), option.typed(value));
    }

    /**
     * Returns figures from {@code /proc} and the class histogram of trials with 20 and 200 chains of six topics, rounded up: 20
     * KB of heap, 2 descriptors and one more to sync, 4 maps with the next block and the last one, at most 69 bytes a frame.
     */
    @Override
    public TopicFootprint topicFootprint(Map<String, String> options) {
        boolean isFreed = options.entrySet().contains(typed(ChronicleOptions.RETENTION, Retention.UNREAD));
        boolean isSynced = options.entrySet().contains(typed(ChronicleOptions.DURABILITY, Durability.HOST));
        return new TopicFootprint(
                48 * KILO,
                0,
                isSynced ? 4 : 2,
                4.5,
                128 * KILO,
                72,
                isFreed
                        ? UNREAD_BLOCKS
                                * blockBytes(options.get(
                                        ChronicleOptions.BLOCK_SIZE.spec().name()))
                        : TopicFootprint.UNBOUNDED,
                MAX_YOUNG_BYTES);
    }

    private static long blockBytes(String typed) {
        try {
            return typed == null ? ChronicleOptions.defaults().get(ChronicleOptions.BLOCK_SIZE) : ByteSize.parse(typed);
        } catch (IllegalArgumentException refused) { // open() reports it
            return ChronicleOptions.defaults().get(ChronicleOptions.BLOCK_SIZE);
        }
    }

    @Override
    public Transport open(Map<String, String> options) {
        Options given = new Options(ChronicleTransport.NAME, ChronicleOptions.SPECS, options);
        ChronicleOptions chosen = new ChronicleOptions(given);
        return ChronicleTransport.in(directory(given), chosen, given.get(ChronicleOptions.LINKS));
    }

    @Override
    public Transport openForInspection(Map<String, String> options) {
        Options given = new Options(ChronicleTransport.NAME, ChronicleOptions.SPECS, options);
        new ChronicleOptions(given); // unused here, but invalid ones are refused
        return new ReadOnlyTransport(directory(given), given.get(ChronicleOptions.LINKS));
    }

    private static Path directory(Options given) {
        String dir = given.text(ChronicleOptions.DIR.name());
        if (dir.isBlank()) {
            throw new IllegalArgumentException(
                    ChronicleTransport.NAME
                            + ": give the option dir=DIRECTORY, where the topics lie (on the command line -o dir=DIRECTORY); there is no default");
        }
        return Path.of(dir);
    }
}
