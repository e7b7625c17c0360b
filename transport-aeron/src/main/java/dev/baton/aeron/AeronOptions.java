package dev.baton.aeron;

import dev.baton.aeron.log.FragmentLayout;
import dev.baton.spi.options.Durability;
import dev.baton.spi.options.Option;
import dev.baton.spi.options.OptionSpec;
import dev.baton.spi.options.Options;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.agrona.BitUtil;

/**
 * The options of an {@link AeronTransport}: the sizes of its logs, and the media driver that has them: {@code
 * AeronOptions.defaults().with(AeronOptions.TERM_LENGTH, 64 << 10)}. A topic takes three terms and four pages of shared memory.
 * Immutable, thread-safe.
 */
public final class AeronOptions {
    /** The shortest term, Aeron's own. */
    public static final int LEAST_TERM = 64 << 10;

    static final int MOST_TERM = 256 << 20;

    /** The longest payload, which Aeron still carries in one fragment. */
    static final int LONGEST_PAYLOAD = 65_000;

    private static final String EMBEDDED = "embedded";
    private static final int TERMS = 3;
    private static final int META_DATA = 16 << 10; // of the log, and state and list of writers of the topic

    /** The bytes that the driver and the topics of a few chains take; a container has 64m of {@code /dev/shm} by default. */
    private static final long WORTHWHILE = 256 << 20;

    /** Bytes of one term, a power of two. A topic holds half of one unread before its writer has to wait. */
    public static final Option<Integer> TERM_LENGTH = termLength(
            "length of a term; a topic takes three terms of memory, and its writer waits when half a term is unread");

    /** Longest payload in bytes; a frame of it fits into an eighth of a term. */
    public static final Option<Integer> MAX_PAYLOAD =
            Option.bytes("max-payload", 1024, 0, LONGEST_PAYLOAD, "", "longest payload, at most an eighth of a term");

    /**
     * Directory in which an embedded media driver makes its own; in memory, such as {@code /dev/shm}: on a disk each message is
     * written to it.
     */
    public static final Option<Path> DIRECTORY = Option.of(
            new OptionSpec(
                    "driver-dir",
                    "",
                    "a directory in memory",
                    "where an embedded media driver has its files; by default /dev/shm, or the directory for temporary files"
                            + " if less than 256m are free there"),
            typed -> typed.isBlank() ? memory(Path.of("/dev/shm"), WORTHWHILE) : Path.of(typed),
            Path::toString);

    /** Directory of a running media driver, whose topics all processes share that use it; null for an embedded one. */
    public static final Option<Path> DRIVER = driver(
            "the media driver: one in this process, or the directory of a running one, whose topics all processes share");

    /** Time without an answer of a running media driver after which the transport fails. */
    public static final Option<Duration> TIMEOUT =
            timeout("time without an answer of a running media driver after which the transport fails");

    /** The options as text, for a provider. */
    static final List<OptionSpec> SPECS = List.of(
            TERM_LENGTH.spec(),
            MAX_PAYLOAD.spec(),
            DIRECTORY.spec(),
            DRIVER.spec(),
            TIMEOUT.spec(),
            Durability.MEMORY_ONLY.spec());

    private static final AeronOptions DEFAULTS = parse(Map.of());

    private final Options options;

    private AeronOptions(Options options) {
        this.options = options;
        options.get(Durability.MEMORY_ONLY); // or refuses it, as the next one
        options.get(TIMEOUT);
        requireFit(get(TERM_LENGTH), get(MAX_PAYLOAD));
    }

    /** Describes the length of terms. */
    static Option<Integer> termLength(String description) {
        return Option.bytes("term-length", 1 << 20, LEAST_TERM, MOST_TERM, ", a power of two", description)
                .where(bytes -> Integer.bitCount(bytes) == 1);
    }

    /** Describes a driver, embedded or running. */
    static Option<Path> driver(String description) {
        return Option.of(
                new OptionSpec("driver", EMBEDDED, "embedded, or a directory", description),
                typed -> typed.isBlank() || typed.equals(EMBEDDED) ? null : Path.of(typed),
                driver -> driver == null ? EMBEDDED : driver.toString());
    }

    /** Describes the time without an answer. */
    static Option<Duration> timeout(String description) {
        return Option.time("timeout", "10s", "500ms", "1h", description);
    }

    /** Refuses a payload that is too long for the term. */
    static void requireFit(int termLength, int maxPayload) {
        if (FragmentLayout.logBytes(maxPayload) > termLength / FragmentLayout.FRAGMENTS_PER_TERM) {
            throw new IllegalArgumentException(MAX_PAYLOAD + "=" + maxPayload + " does not fit into an eighth of "
                    + TERM_LENGTH + "=" + termLength + "; raise " + TERM_LENGTH);
        }
    }

    /**
     * {@return the defaults: terms of a mebibyte and payloads of up to 1024 bytes, in {@code /dev/shm} where there is
     * one with 256m free, otherwise in the directory for temporary files}
     */
    public static AeronOptions defaults() {
        return DEFAULTS;
    }

    /** Parses {@code key=value} options; missing ones have their defaults. */
    static AeronOptions parse(Map<String, String> entries) {
        Options options = new Options(AeronProvider.NAME, SPECS, entries);
        Path driver = options.get(DRIVER);
        String directory = options.text(DIRECTORY.toString());
        refuse(driver != null && !directory.isBlank(), DIRECTORY, "is for an embedded media driver", options);
        refuse(
                driver == null && options.isGiven(TIMEOUT.toString()),
                TIMEOUT,
                "is for a running media driver",
                options);
        return new AeronOptions(options);
    }

    private static void refuse(boolean isRefused, Option<?> option, String why, Options options) {
        if (isRefused) {
            throw new IllegalArgumentException(
                    option + " " + why + ", and " + options.typed(List.of(DRIVER)) + "; omit one of them");
        }
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
    public <T> AeronOptions with(Option<T> option, T value) {
        return new AeronOptions(options.with(option, value));
    }

    /** {@return the bytes of memory that one topic takes} */
    public long topicBytes() {
        return topicBytes(get(TERM_LENGTH));
    }

    /** Returns the bytes of memory that a topic with terms of a length takes. */
    static long topicBytes(int termLength) {
        return (long) TERMS * termLength + META_DATA;
    }

    /** Returns the shortest term that carries a payload. */
    static int termFor(int payload) {
        return Math.max(
                LEAST_TERM,
                BitUtil.findNextPositivePowerOfTwo(
                        FragmentLayout.FRAGMENTS_PER_TERM * FragmentLayout.logBytes(payload)));
    }

    /** Returns whether options name a running media driver, whose topics all its processes share. */
    static boolean isShared(Map<String, String> entries) {
        String driver = entries.getOrDefault(DRIVER.toString(), EMBEDDED);
        return !driver.isBlank() && !driver.equals(EMBEDDED);
    }

    /** Returns a directory in memory if it has enough bytes free, otherwise the directory for temporary files. */
    static Path memory(Path shared, long needed) {
        boolean isUsable = Files.isDirectory(shared)
                && Files.isWritable(shared)
                && shared.toFile().getUsableSpace() >= needed;
        return isUsable ? shared : Path.of(System.getProperty("java.io.tmpdir"));
    }

    /** Returns the sizes as typed. */
    @Override
    public String toString() {
        return options.typed(List.of(TERM_LENGTH, MAX_PAYLOAD));
    }
}
