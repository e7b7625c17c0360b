package dev.baton.aeron;

import dev.baton.aeron.log.FragmentLayout;
import dev.baton.spi.options.ByteSize;
import dev.baton.spi.options.Durability;
import dev.baton.spi.options.OptionSpec;
import dev.baton.spi.options.Options;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.agrona.BitUtil;

/**
 * The options of an {@link AeronTransport}: the sizes of its logs, and the media driver that has them. A topic takes three terms
 * and four pages of shared memory. Immutable, thread-safe.
 *
 * @param termLength bytes of one term; a power of two, {@value #LEAST_TERM} to {@value #MOST_TERM}. A topic holds half of one
 *     unread before its writer is refused
 * @param maxPayload longest payload in bytes, 0 to {@value #LONGEST_PAYLOAD}; a frame of it fits into an eighth of a term
 * @param directory where an embedded media driver makes its own directory; in memory, such as {@code /dev/shm}; on a disk each
 *     message is written to it
 * @param driver directory of a running media driver, whose topics all processes share that use it; null for an embedded one
 * @param timeout time without an answer of a running driver after which the transport fails; 500 ms to an hour
 */
public record AeronOptions(int termLength, int maxPayload, Path directory, Path driver, Duration timeout) {
    /** The shortest term, Aeron's own. */
    public static final int LEAST_TERM = 64 << 10;

    /** The longest term. */
    public static final int MOST_TERM = 256 << 20;

    /** The longest payload, which Aeron still carries in one fragment. */
    public static final int LONGEST_PAYLOAD = 65_000;

    /** Name of the option {@link #termLength}, as text. */
    public static final String TERM_LENGTH = "term-length";

    /** Name of the option {@link #maxPayload}, as text. */
    public static final String MAX_PAYLOAD = "max-payload";

    /** Name of the option {@link #directory}, as text. */
    public static final String DIRECTORY = "driver-dir";

    /** Name of the option {@link #driver}, as text. */
    public static final String DRIVER = "driver";

    /** Name of the option {@link #timeout}, as text. */
    public static final String TIMEOUT = "timeout";

    static final Duration LEAST_TIMEOUT = Duration.ofMillis(500);
    static final Duration MOST_TIMEOUT = Duration.ofHours(1);
    static final Duration USUAL_TIMEOUT = Duration.ofSeconds(10);

    private static final String EMBEDDED = "embedded";
    private static final int TERMS = 3;
    private static final int META_DATA = 16 << 10; // of the log, and state and list of writers of the topic
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    /** The bytes that the driver and the topics of a few chains take; a container has 64m of {@code /dev/shm} by default. */
    private static final long WORTHWHILE = 256 << 20;

    private static final AeronOptions DEFAULTS =
            new AeronOptions(1 << 20, 1024, memory(SHARED_MEMORY, WORTHWHILE), null, USUAL_TIMEOUT);

    /** The options as text, for a provider. */
    static final List<OptionSpec> SPECS = List.of(
            OptionSpec.ofBytes(
                    TERM_LENGTH,
                    DEFAULTS.termLength,
                    LEAST_TERM,
                    MOST_TERM,
                    ", a power of two",
                    "a topic takes three terms of memory, and holds half of one unread"),
            OptionSpec.ofBytes(
                    MAX_PAYLOAD, DEFAULTS.maxPayload, 0, LONGEST_PAYLOAD, "", "longest payload; an eighth of a term"),
            new OptionSpec(
                    DIRECTORY,
                    "",
                    "a directory in memory",
                    "where an embedded media driver has its files; by default /dev/shm, or the directory for temporary files"
                            + " if less than 256m are free there"),
            new OptionSpec(
                    DRIVER,
                    EMBEDDED,
                    "embedded, or a directory",
                    "the media driver: one in this process, or the directory of a running one, whose topics all processes share"),
            new OptionSpec(
                    TIMEOUT,
                    "10s",
                    "500ms to 1h",
                    "time without an answer of a running media driver after which the transport fails"),
            Durability.MEMORY_ONLY.spec());

    /**
     * Checks the ranges.
     *
     * @param termLength bytes of one term
     * @param maxPayload longest payload in bytes, 0 to {@value #LONGEST_PAYLOAD}
     * @param directory where an embedded media driver makes its own directory
     * @param driver directory of a running media driver; null for an embedded one
     * @param timeout 500 ms to an hour
     */
    public AeronOptions {
        Objects.requireNonNull(directory, "directory");
        checkTimeout(timeout);
        checkSizes(termLength, maxPayload);
    }

    static void checkTimeout(Duration timeout) {
        if (timeout.compareTo(LEAST_TIMEOUT) < 0 || timeout.compareTo(MOST_TIMEOUT) > 0) {
            throw new IllegalArgumentException(TIMEOUT + "=" + timeout + " is not allowed; 500ms to 1h");
        }
    }

    /** Refuses a term or a payload out of range, and a payload that is too long for the term. */
    static void checkSizes(int termLength, int maxPayload) {
        if (termLength < LEAST_TERM || termLength > MOST_TERM || Integer.bitCount(termLength) != 1) {
            throw new IllegalArgumentException(TERM_LENGTH + "=" + termLength + " is not allowed; a power of two, "
                    + ByteSize.range(LEAST_TERM, MOST_TERM));
        }
        if (maxPayload < 0 || maxPayload > LONGEST_PAYLOAD) {
            throw new IllegalArgumentException(
                    MAX_PAYLOAD + "=" + maxPayload + " is not allowed; " + ByteSize.range(0, LONGEST_PAYLOAD));
        }
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

    /**
     * {@return a copy with another {@link #termLength}}
     *
     * @param newTermLength bytes, a power of two, {@value #LEAST_TERM} to {@value #MOST_TERM}
     */
    public AeronOptions withTermLength(int newTermLength) {
        return new AeronOptions(newTermLength, maxPayload, directory, driver, timeout);
    }

    /**
     * {@return a copy with another {@link #maxPayload}}
     *
     * @param newMaxPayload bytes, 0 to {@value #LONGEST_PAYLOAD}
     */
    public AeronOptions withMaxPayload(int newMaxPayload) {
        return new AeronOptions(termLength, newMaxPayload, directory, driver, timeout);
    }

    /**
     * {@return a copy with an embedded media driver in another {@link #directory}}
     *
     * @param newDirectory in memory
     */
    public AeronOptions withDirectory(Path newDirectory) {
        return new AeronOptions(termLength, maxPayload, newDirectory, null, timeout);
    }

    /**
     * {@return a copy with a running {@link #driver}}
     *
     * @param newDriver its directory; null for an embedded driver
     */
    public AeronOptions withDriver(Path newDriver) {
        return new AeronOptions(termLength, maxPayload, directory, newDriver, timeout);
    }

    /**
     * {@return a copy with another {@link #timeout}}
     *
     * @param newTimeout 500 ms to an hour
     */
    public AeronOptions withTimeout(Duration newTimeout) {
        return new AeronOptions(termLength, maxPayload, directory, driver, newTimeout);
    }

    /** {@return the bytes of memory that one topic takes} */
    public long topicBytes() {
        return (long) TERMS * termLength + META_DATA;
    }

    /** Returns the shortest term that carries a payload. */
    static int termFor(int payload) {
        return Math.max(
                LEAST_TERM,
                BitUtil.findNextPositivePowerOfTwo(
                        FragmentLayout.FRAGMENTS_PER_TERM * FragmentLayout.logBytes(payload)));
    }

    /**
     * Reads {@code key=value} options. A missing option has its default, and without a term length long payloads get longer
     * terms.
     */
    static AeronOptions parse(Map<String, String> entries) {
        Options options = new Options(AeronProvider.NAME, SPECS, entries);
        options.get(Durability.MEMORY_ONLY); // or refuses it
        int maxPayload = options.bytes(MAX_PAYLOAD, 0, LONGEST_PAYLOAD);
        int termLength = options.bytes(TERM_LENGTH, LEAST_TERM, MOST_TERM);
        if (!entries.containsKey(TERM_LENGTH)) {
            termLength = Math.max(termLength, termFor(maxPayload));
        }
        String directory = options.text(DIRECTORY);
        String driver = options.text(DRIVER);
        boolean isEmbedded = !isShared(entries);
        refuse(!isEmbedded && !directory.isBlank(), DIRECTORY, "is for an embedded media driver", driver);
        refuse(isEmbedded && entries.containsKey(TIMEOUT), TIMEOUT, "is for a running media driver", EMBEDDED);
        return new AeronOptions(
                termLength,
                maxPayload,
                directory.isBlank() ? DEFAULTS.directory : Path.of(directory),
                isEmbedded ? null : Path.of(driver),
                options.duration(TIMEOUT, LEAST_TIMEOUT, MOST_TIMEOUT));
    }

    /** Returns whether options name a running media driver, whose topics all its processes share. */
    static boolean isShared(Map<String, String> entries) {
        String driver = entries.getOrDefault(DRIVER, EMBEDDED);
        return !driver.isBlank() && !driver.equals(EMBEDDED);
    }

    private static void refuse(boolean isRefused, String option, String why, String driver) {
        if (isRefused) {
            throw new IllegalArgumentException(
                    option + " " + why + ", and " + DRIVER + "=" + driver + "; omit one of them");
        }
    }

    /** Returns a directory in memory if it has enough bytes free, otherwise the directory for temporary files. */
    static Path memory(Path shared, long needed) {
        boolean isUsable = Files.isDirectory(shared)
                && Files.isWritable(shared)
                && shared.toFile().getUsableSpace() >= needed;
        return isUsable ? shared : Path.of(System.getProperty("java.io.tmpdir"));
    }
}
