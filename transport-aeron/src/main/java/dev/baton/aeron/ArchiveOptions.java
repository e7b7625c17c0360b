package dev.baton.aeron;

import dev.baton.spi.options.Durability;
import dev.baton.spi.options.Option;
import dev.baton.spi.options.OptionSpec;
import dev.baton.spi.options.Options;
import io.aeron.CommonContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The options of an {@link ArchiveTransport}: its media driver, its Archive and the sizes of its topics: {@code
 * ArchiveOptions.defaults().with(ArchiveOptions.ARCHIVE, "10.0.0.1:8010")}. Immutable, thread-safe.
 */
public final class ArchiveOptions {
    /** The part of a topic that is kept. */
    public enum Retention {
        /** All frames. */
        ALL,
        /** The segments of the recording from the first one on that some known consumer has not read to its end. */
        UNREAD
    }

    /** The value of {@link #ARCHIVE} for an Archive in this host's media driver. */
    public static final String IPC = "ipc";

    private static final String PROCESS = "process";
    private static final String REPLICATED = "replicated";
    private static final Pattern HOST_AND_PORT = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[^:\\s|?]+):([0-9]{1,5})");

    /** Directory of the media driver of this host. */
    public static final Option<Path> DRIVER = Option.of(
            new OptionSpec(
                    "driver",
                    "",
                    "a directory",
                    "directory of a running media driver of this host; by default Aeron's own, aeron-USER in /dev/shm"),
            typed -> Path.of(typed.isBlank() ? CommonContext.getAeronDirectoryName() : typed),
            Path::toString);

    /** {@value #IPC} for an Archive in that driver, or {@code HOST:PORT} of the control channel of one elsewhere. */
    public static final Option<String> ARCHIVE = Option.text(
                    "archive",
                    IPC,
                    "ipc, or HOST:PORT",
                    "the Archive that records the topics: ipc for the one of the local media driver, or the address of the control"
                            + " channel of one on another host")
            .where(archive -> archive.equals(IPC) || isAddress(archive));

    /**
     * {@code HOST:PORT} at which this host receives from an Archive elsewhere, port 0 for any; empty for the address by which this
     * host reaches the Archive.
     */
    public static final Option<String> ENDPOINT = Option.text(
                    "endpoint",
                    "",
                    "HOST:PORT, port 0 for any",
                    "where this host receives from an Archive elsewhere; by default the address by which it reaches that"
                            + " Archive")
            .where(endpoint -> endpoint.isEmpty() || isAddress(endpoint));

    /** {@code HOST:PORT} of the control channel of the Archive that has a copy of all topics; empty for none. */
    public static final Option<String> STANDBY = Option.text(
                    "standby",
                    "",
                    "HOST:PORT",
                    "the Archive on another host that copies the topics: frames are stored when both have recorded them")
            .where(standby -> standby.isEmpty() || isAddress(standby));

    /** {@code HOST:PORT} by which the standby reaches the Archive; empty for the address of {@link #ARCHIVE}. */
    public static final Option<String> ADDRESS = Option.text(
                    "address",
                    "",
                    "HOST:PORT",
                    "control channel of the local Archive, by which the standby reaches it; with archive=ipc and a standby")
            .where(address -> address.isEmpty() || isAddress(address));

    /** Bytes of one term of the topics that are created, a power of two. */
    public static final Option<Integer> TERM_LENGTH = AeronOptions.termLength(
            "length of a term of new topics; each writer or reader takes three terms of memory, and a writer waits when"
                    + " half a term is unrecorded");

    /** Longest payload in bytes; a frame of it fits into an eighth of a term. */
    public static final Option<Integer> MAX_PAYLOAD = AeronOptions.MAX_PAYLOAD;

    /** Part of a topic that is kept. */
    public static final Option<Retention> RETENTION = Option.choice(
            "retention",
            Retention.ALL,
            "",
            "what is kept of a topic: everything, or the recording's segments that some known consumer needs",
            List.of(Retention.values()));

    private static final Option<String> DURABILITY = Option.of(
            new OptionSpec(
                    Durability.OPTION,
                    PROCESS,
                    PROCESS + " or " + REPLICATED,
                    "what stored frames survive: the end of every process; with a standby also the loss of a host. Power"
                            + " failures depend on the Archive's aeron.archive.file.sync.level, which it reports to no client"),
            ArchiveOptions::requiredClass,
            Function.identity());

    /** Time without an answer of driver or Archive after which the connection fails. */
    public static final Option<Duration> TIMEOUT =
            AeronOptions.timeout("time without an answer of driver or Archive after which the connection fails");

    private static final List<Option<?>> ALL = List.of(
            DRIVER, ARCHIVE, ENDPOINT, STANDBY, ADDRESS, TERM_LENGTH, MAX_PAYLOAD, RETENTION, DURABILITY, TIMEOUT);

    /** The options as text, for a provider. */
    static final List<OptionSpec> SPECS =
            ALL.stream().<OptionSpec>map(Option::spec).toList();

    private static final ArchiveOptions DEFAULTS = parse(Map.of());

    private final Options options;

    private ArchiveOptions(Options options) {
        this.options = options;
        ALL.forEach(options::get); // or refuses a value
        AeronOptions.requireFit(get(TERM_LENGTH), get(MAX_PAYLOAD));
        if (hasStandby() && source().isEmpty()) {
            throw new IllegalArgumentException(
                    STANDBY + "=" + get(STANDBY) + " with " + ARCHIVE + "=" + IPC + " needs " + ADDRESS
                            + "=HOST:PORT, the aeron.archive.control.channel by which the standby reaches the Archive");
        }
        if (hasStandby() && source().equals(get(STANDBY))) {
            throw new IllegalArgumentException(
                    STANDBY + "=" + get(STANDBY) + " is the Archive itself; it has to be one on another host");
        }
        if (get(DURABILITY).equals(REPLICATED) && !hasStandby()) {
            throw new IllegalArgumentException(Durability.OPTION + "=" + REPLICATED + " needs " + STANDBY
                    + "=HOST:PORT, the control channel of an Archive on another host");
        }
    }

    /** Returns whether a value is {@code HOST:PORT}. */
    static boolean isAddress(String value) {
        Matcher address = HOST_AND_PORT.matcher(value);
        return address.matches() && Integer.parseInt(address.group(2)) <= 65_535;
    }

    /** {@return the defaults: the driver and the Archive that run in Aeron's default directory} */
    public static ArchiveOptions defaults() {
        return DEFAULTS;
    }

    /** Parses {@code key=value} options; missing ones have their defaults. */
    static ArchiveOptions parse(Map<String, String> entries) {
        return new ArchiveOptions(new Options(ArchiveProvider.NAME, SPECS, entries));
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
    public <T> ArchiveOptions with(Option<T> option, T value) {
        return new ArchiveOptions(options.with(option, value));
    }

    /** {@return whether the Archive is reached over UDP} */
    public boolean isRemote() {
        return !get(ARCHIVE).equals(IPC);
    }

    /** {@return whether another Archive has a copy of all topics} */
    public boolean hasStandby() {
        return !get(STANDBY).isEmpty();
    }

    /** {@return the control channel by which other hosts reach the Archive; empty if it is not known} */
    public String source() {
        return get(ADDRESS).isEmpty() && isRemote() ? get(ARCHIVE) : get(ADDRESS);
    }

    /** {@return the options of a client of the standby, as an Archive without one} */
    public ArchiveOptions ofStandby() {
        return with(DURABILITY, PROCESS).withoutStandby(get(STANDBY));
    }

    private ArchiveOptions withoutStandby(String archive) {
        return new ArchiveOptions(options.with(STANDBY, "").with(ADDRESS, "").with(ARCHIVE, archive));
    }

    /** {@return the options as typed, with the driver} */
    @Override
    public String toString() {
        return options.with(DRIVER, get(DRIVER)).typed(ALL);
    }

    private static String requiredClass(String durability) {
        if (!durability.equals(PROCESS) && !durability.equals(REPLICATED)) {
            throw new IllegalArgumentException(
                    Durability.OPTION + "='" + durability + "' is not allowed; " + ArchiveProvider.NAME
                            + " promises '" + PROCESS
                            + "': what is stored survives the end of every process, or, with a standby, '" + REPLICATED
                            + "': also the loss of a host. For 'host' the Archive"
                            + " has to sync what it records, and no client can ask it whether it does: start it with"
                            + " aeron.archive.file.sync.level=1 and leave " + Durability.OPTION + "=" + PROCESS
                            + ", and it reports frames as recorded after their sync. 'memory' is not what it does");
        }
        return durability;
    }
}
