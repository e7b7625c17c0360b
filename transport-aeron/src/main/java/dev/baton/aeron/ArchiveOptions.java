package dev.baton.aeron;

import dev.baton.spi.options.ByteSize;
import dev.baton.spi.options.OptionSpec;
import dev.baton.spi.options.Options;
import io.aeron.CommonContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The options of an {@link ArchiveTransport}: its media driver, its Archive and the sizes of its topics. Immutable, thread-safe.
 *
 * @param driver directory of the media driver of this host
 * @param archive {@value #IPC} for an Archive in that driver, or {@code HOST:PORT} of the control channel of one elsewhere
 * @param endpoint {@code HOST:PORT} at which this host receives from an Archive elsewhere, port 0 for any; empty for the address
 *     by which this host reaches the Archive
 * @param termLength bytes of one term of the topics that are created; a power of two
 * @param maxPayload longest payload in bytes; a frame of it fits into an eighth of a term
 * @param retention the part of a topic that is kept
 * @param timeout time without an answer of driver or Archive after which the connection fails
 */
public record ArchiveOptions(
        Path driver,
        String archive,
        String endpoint,
        int termLength,
        int maxPayload,
        Retention retention,
        Duration timeout) {
    /** The value of {@link #archive} for an Archive in this host's media driver. */
    public static final String IPC = "ipc";

    /** Name of the option {@link #archive}, as text. */
    public static final String ARCHIVE = "archive";

    /** Name of the option {@link #endpoint}, as text. */
    public static final String ENDPOINT = "endpoint";

    /** Name of the option {@link #retention}, as text. */
    public static final String RETENTION = "retention";

    private static final String DURABILITY = "durability";
    private static final String PROCESS = "process";

    private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[^:\\s|?]+):([0-9]{1,5})");

    private static final ArchiveOptions DEFAULTS = new ArchiveOptions(
            Path.of(CommonContext.getAeronDirectoryName()),
            IPC,
            "",
            1 << 20,
            1024,
            Retention.ALL,
            AeronOptions.USUAL_TIMEOUT);

    /** The part of a topic that is kept. */
    public enum Retention {
        /** All frames. */
        ALL,
        /** The segments of the recording from the first one on that some known consumer has not read to its end. */
        UNREAD
    }

    /** The options as text, for a provider. */
    static final List<OptionSpec> SPECS = List.of(
            new OptionSpec(
                    AeronOptions.DRIVER,
                    "",
                    "a directory",
                    "directory of a running media driver of this host; by default Aeron's own, aeron-USER in /dev/shm"),
            new OptionSpec(
                    ARCHIVE,
                    IPC,
                    "ipc, or HOST:PORT",
                    "the Archive that records the topics: in that driver, or the control channel of one elsewhere over"
                            + " UDP"),
            new OptionSpec(
                    ENDPOINT,
                    "",
                    "HOST:PORT, port 0 for any",
                    "where this host receives from an Archive elsewhere; by default the address by which it reaches that"
                            + " Archive"),
            OptionSpec.ofBytes(
                    AeronOptions.TERM_LENGTH,
                    DEFAULTS.termLength,
                    AeronOptions.LEAST_TERM,
                    AeronOptions.MOST_TERM,
                    ", a power of two",
                    "term of the topics that are created: a writer or reader takes three terms of memory; half of one may"
                            + " be unrecorded"),
            OptionSpec.ofBytes(
                    AeronOptions.MAX_PAYLOAD,
                    DEFAULTS.maxPayload,
                    0,
                    AeronOptions.LONGEST_PAYLOAD,
                    "",
                    "longest payload; an eighth of a term"),
            new OptionSpec(
                    RETENTION,
                    "all",
                    "all, unread",
                    "what is kept of a topic: everything, or the recording's segments that some known consumer needs"),
            new OptionSpec(
                    DURABILITY,
                    PROCESS,
                    PROCESS,
                    "what stored frames survive: the end of every process. Power failures depend on the Archive's"
                            + " aeron.archive.file.sync.level, which it reports to no client"),
            new OptionSpec(
                    AeronOptions.TIMEOUT,
                    "10s",
                    "500ms to 1h",
                    "time without an answer of driver or Archive after which the connection fails"));

    /**
     * Checks the ranges.
     *
     * @param driver directory of the media driver of this host
     * @param archive {@value #IPC}, or {@code HOST:PORT}
     * @param endpoint {@code HOST:PORT}, or empty
     * @param termLength bytes of one term
     * @param maxPayload longest payload in bytes
     * @param retention the part of a topic that is kept
     * @param timeout 500 ms to an hour
     */
    public ArchiveOptions {
        Objects.requireNonNull(driver, AeronOptions.DRIVER);
        Objects.requireNonNull(retention, RETENTION);
        checkAddress(ARCHIVE, archive, archive.equals(IPC), "'" + IPC + "', or HOST:PORT");
        checkAddress(ENDPOINT, endpoint, endpoint.isEmpty(), "HOST:PORT");
        AeronOptions.checkTimeout(timeout);
        AeronOptions.checkSizes(termLength, maxPayload);
    }

    private static void checkAddress(String option, String value, boolean isFine, String allowed) {
        Matcher address = ADDRESS.matcher(value);
        if (!isFine && !(address.matches() && Integer.parseInt(address.group(2)) <= 65_535)) {
            throw new IllegalArgumentException(option + "='" + value + "' is not allowed; " + allowed);
        }
    }

    /** {@return the defaults: the driver and the Archive that run in Aeron's default directory} */
    public static ArchiveOptions defaults() {
        return DEFAULTS;
    }

    /**
     * {@return a copy with another {@link #driver}}
     *
     * @param newDriver its directory
     */
    public ArchiveOptions withDriver(Path newDriver) {
        return new ArchiveOptions(newDriver, archive, endpoint, termLength, maxPayload, retention, timeout);
    }

    /**
     * {@return a copy with another {@link #archive}}
     *
     * @param newArchive {@value #IPC}, or {@code HOST:PORT}
     */
    public ArchiveOptions withArchive(String newArchive) {
        return new ArchiveOptions(driver, newArchive, endpoint, termLength, maxPayload, retention, timeout);
    }

    /**
     * {@return a copy with another {@link #endpoint}}
     *
     * @param newEndpoint {@code HOST:PORT}, or empty
     */
    public ArchiveOptions withEndpoint(String newEndpoint) {
        return new ArchiveOptions(driver, archive, newEndpoint, termLength, maxPayload, retention, timeout);
    }

    /**
     * {@return a copy with another {@link #termLength}}
     *
     * @param newTermLength bytes, a power of two
     */
    public ArchiveOptions withTermLength(int newTermLength) {
        return new ArchiveOptions(driver, archive, endpoint, newTermLength, maxPayload, retention, timeout);
    }

    /**
     * {@return a copy with another {@link #maxPayload}}
     *
     * @param newMaxPayload bytes
     */
    public ArchiveOptions withMaxPayload(int newMaxPayload) {
        return new ArchiveOptions(driver, archive, endpoint, termLength, newMaxPayload, retention, timeout);
    }

    /**
     * {@return a copy with another {@link #retention}}
     *
     * @param newRetention the part of a topic that is kept
     */
    public ArchiveOptions withRetention(Retention newRetention) {
        return new ArchiveOptions(driver, archive, endpoint, termLength, maxPayload, newRetention, timeout);
    }

    /**
     * {@return a copy with another {@link #timeout}}
     *
     * @param newTimeout 500 ms to an hour
     */
    public ArchiveOptions withTimeout(Duration newTimeout) {
        return new ArchiveOptions(driver, archive, endpoint, termLength, maxPayload, retention, newTimeout);
    }

    /** {@return whether the Archive is reached over UDP} */
    public boolean isRemote() {
        return !archive.equals(IPC);
    }

    /** {@return the options as results and errors show them} */
    @Override
    public String toString() {
        return AeronOptions.DRIVER + "=" + driver + ", " + ARCHIVE + "=" + archive
                + (endpoint.isEmpty() ? "" : ", endpoint=" + endpoint)
                + ", " + AeronOptions.TERM_LENGTH + "=" + ByteSize.text(termLength) + ", " + AeronOptions.MAX_PAYLOAD
                + "=" + ByteSize.text(maxPayload) + ", " + RETENTION + "="
                + retention.name().toLowerCase(Locale.ROOT) + ", " + AeronOptions.TIMEOUT + "=" + timeout.toMillis()
                + "ms";
    }

    /**
     * Reads {@code key=value} options. A missing option has its default, and without a term length long payloads get longer
     * terms.
     */
    static ArchiveOptions parse(Map<String, String> entries) {
        Options options = new Options(ArchiveProvider.NAME, SPECS, entries);
        requireProcess(options.text(DURABILITY));
        int maxPayload = options.bytes(AeronOptions.MAX_PAYLOAD, 0, AeronOptions.LONGEST_PAYLOAD);
        int termLength = options.bytes(AeronOptions.TERM_LENGTH, AeronOptions.LEAST_TERM, AeronOptions.MOST_TERM);
        if (!entries.containsKey(AeronOptions.TERM_LENGTH)) {
            termLength = Math.max(termLength, AeronOptions.termFor(maxPayload));
        }
        String driver = options.text(AeronOptions.DRIVER);
        return new ArchiveOptions(
                driver.isBlank() ? DEFAULTS.driver : Path.of(driver),
                options.text(ARCHIVE),
                options.text(ENDPOINT),
                termLength,
                maxPayload,
                options.choice(RETENTION, Retention.class),
                options.duration(AeronOptions.TIMEOUT, AeronOptions.LEAST_TIMEOUT, AeronOptions.MOST_TIMEOUT));
    }

    private static void requireProcess(String durability) {
        if (!durability.equals(PROCESS)) {
            throw new IllegalArgumentException(
                    DURABILITY + "='" + durability + "' is not allowed; " + ArchiveProvider.NAME
                            + " promises '" + PROCESS
                            + "': what is stored survives the end of every process. For 'host' the Archive"
                            + " has to sync what it records, and no client can ask it whether it does: start it with"
                            + " aeron.archive.file.sync.level=1 and leave " + DURABILITY + "=" + PROCESS
                            + ", and it reports frames as recorded after their sync. 'memory' and 'replicated' are not what it does");
        }
    }
}
