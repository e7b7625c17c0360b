package dev.baton.aeron;

import dev.baton.aeron.log.FragmentLayout;
import dev.baton.spi.options.Durability;
import dev.baton.spi.options.Option;
import dev.baton.spi.options.OptionSpec;
import dev.baton.spi.options.Options;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The options of a {@link UdpTransport}: its part, the addresses of the process that writes, its media driver and the sizes of its
 * topics: {@code UdpOptions.defaults().with(UdpOptions.CONTROL, "10.0.0.1:40456")}. Immutable, thread-safe.
 */
public final class UdpOptions {
    /** The part of a process. */
    public enum Role {
        /** The one process that has the topics, and writes and reads them. */
        WRITER,
        /** A process that reads topics of the writer's process. */
        READER
    }

    private static final int WINDOWS_PER_TERM = 4;

    /** The longest datagram without a longer payload, that of Aeron: it fits into a frame of Ethernet. */
    private static final int MTU = 1408;

    /** Part of this process. */
    public static final Option<Role> ROLE = Option.choice(
            "role",
            Role.WRITER,
            "",
            "the one process that has the topics, or one that reads them",
            List.of(Role.values()));

    /**
     * {@code HOST:PORT} of the writer's process, from which it sends to readers that register there, which Aeron calls a dynamic
     * multi-destination-cast.
     */
    public static final Option<String> CONTROL = Option.text(
                    "control",
                    "localhost:40456",
                    "HOST:PORT",
                    "address of the writer's process, from which it sends to all readers (MDC)")
            .where(ArchiveOptions::isAddress);

    /** {@code HOST:PORT} at which the only process of readers receives, for unicast; empty for {@link #CONTROL}. */
    public static final Option<String> ENDPOINT = Option.text(
                    "endpoint",
                    "",
                    "HOST:PORT",
                    "address of the one process that reads, for unicast; without it control is used")
            .where(endpoint -> endpoint.isEmpty() || ArchiveOptions.isAddress(endpoint));

    /** {@code HOST:PORT} at which the writer's process receives the requests of readers. */
    public static final Option<String> REQUESTS = Option.text(
                    "requests",
                    "localhost:40457",
                    "HOST:PORT",
                    "address at which the writer's process receives acknowledgements and requests of readers")
            .where(ArchiveOptions::isAddress);

    /** Bytes of one term, a power of two. */
    public static final Option<Integer> TERM_LENGTH = AeronOptions.termLength(
            "a topic takes three terms of memory in its writer's process and in each process that reads it, and keeps a"
                    + " quarter of a term unacknowledged");

    /** Longest payload in bytes. */
    public static final Option<Integer> MAX_PAYLOAD = AeronOptions.MAX_PAYLOAD;

    /** Time without a reader after which a consumer no longer holds back the writer. */
    public static final Option<Duration> CONSUMER_TIMEOUT = Option.time(
            "consumer-timeout",
            "10s",
            "0s",
            "8760h",
            "time without a reader after which a consumer no longer holds back the writer");

    /** Directory of a running media driver of this host; null for an embedded one. */
    public static final Option<Path> DRIVER = AeronOptions.driver(
            "the media driver: one in this process, or the directory of a running one of this host");

    /** Directory in which an embedded media driver makes its own. */
    public static final Option<Path> DIRECTORY = AeronOptions.DIRECTORY;

    /** Time without an answer of the media driver or of the writer's process after which a call or a reader fails. */
    public static final Option<Duration> TIMEOUT = AeronOptions.timeout(
            "time without an answer of the media driver or of the writer's process after which a call or a reader fails");

    private static final List<Option<?>> ALL = List.of(
            ROLE,
            CONTROL,
            ENDPOINT,
            REQUESTS,
            TERM_LENGTH,
            MAX_PAYLOAD,
            CONSUMER_TIMEOUT,
            DRIVER,
            DIRECTORY,
            TIMEOUT,
            Durability.MEMORY_ONLY);

    /** The options as text, for a provider. */
    static final List<OptionSpec> SPECS =
            ALL.stream().<OptionSpec>map(Option::spec).toList();

    private static final UdpOptions DEFAULTS = parse(Map.of());

    private final Options options;

    private UdpOptions(Options options) {
        this.options = options;
        ALL.forEach(options::get); // or refuses a value
        AeronOptions.requireFit(get(TERM_LENGTH), get(MAX_PAYLOAD));
    }

    /** {@return the defaults: the writer's process, on this host} */
    public static UdpOptions defaults() {
        return DEFAULTS;
    }

    /** Parses {@code key=value} options; missing ones have their defaults. */
    static UdpOptions parse(Map<String, String> entries) {
        return new UdpOptions(new Options(UdpProvider.NAME, SPECS, entries));
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
    public <T> UdpOptions with(Option<T> option, T value) {
        return new UdpOptions(options.with(option, value));
    }

    /** {@return whether this process has the topics} */
    public boolean isWriter() {
        return get(ROLE) == Role.WRITER;
    }

    /** {@return the bytes of a topic that may be unacknowledged} */
    public int window() {
        return get(TERM_LENGTH) / WINDOWS_PER_TERM;
    }

    /** {@return the longest datagram: that of Aeron, or what the longest payload takes} */
    public int mtu() {
        return Math.max(MTU, FragmentLayout.logBytes(get(MAX_PAYLOAD)));
    }

    /** {@return the bytes of memory that one topic takes, with one process of readers on the host} */
    long topicBytes() {
        return 2 * AeronOptions.topicBytes(get(TERM_LENGTH)) + 2L * window();
    }

    /** {@return the options as typed} */
    @Override
    public String toString() {
        return options.typed(
                get(ENDPOINT).isEmpty()
                        ? List.of(ROLE, CONTROL, REQUESTS, TERM_LENGTH, MAX_PAYLOAD, CONSUMER_TIMEOUT)
                        : List.of(ROLE, ENDPOINT, REQUESTS, TERM_LENGTH, MAX_PAYLOAD, CONSUMER_TIMEOUT));
    }
}
