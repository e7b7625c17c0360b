package dev.baton.kafka;

import dev.baton.kafka.client.PassedSettings;
import dev.baton.spi.options.Durability;
import dev.baton.spi.options.Option;
import dev.baton.spi.options.OptionSpec;
import dev.baton.spi.options.Options;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The options of a {@link KafkaTransport}: {@code KafkaOptions.at("localhost:9092").with(KafkaOptions.WINDOW, 64)}. The
 * defaults put latency first and lose nothing: acks=all, idempotent, no linger. Immutable, thread-safe.
 */
public final class KafkaOptions {
    /**
     * Addresses of the cluster: {@code host:port}, several with commas. While all brokers are away, clients try those that
     * they knew last, each up to every 2 s ({@code client.reconnect.backoff.max.ms}); a cluster that comes back under other
     * names needs a new transport.
     */
    public static final Option<String> BOOTSTRAP_SERVERS = Option.text(
                    "bootstrap-servers", "", "host:port, several with commas", "addresses of the cluster; required")
            .where(servers -> servers.matches("\\S+:\\d+(,\\S+:\\d+)*"));

    /** Acknowledgement that makes a frame stored. */
    public static final Option<Acks> ACKS = Option.of(
            new OptionSpec(
                    "acks",
                    "all",
                    "all or 1",
                    "the acknowledgement that makes a frame stored: of all in-sync replicas, or of the leader"),
            Acks::parse,
            Acks::text);

    /**
     * The idempotent producer, with which the broker drops what a retry repeats; only with acks=all. Without it nothing is
     * retried and one request is in flight at a time, since a retry could store a frame twice or out of order.
     */
    public static final Option<Boolean> IDEMPOTENCE = Option.flag(
            "idempotence", "", "the broker drops what a retry repeats; default true with acks=all, otherwise false");

    /** Time that a record waits for others to share its batch: at most half of {@link #DELIVERY_TIMEOUT}. */
    public static final Option<Duration> LINGER =
            Option.time("linger", "0ms", "0ms", "1s", "time that a record waits for others to share its batch");

    /** Bytes of a batch. */
    public static final Option<Integer> BATCH_SIZE =
            Option.bytes("batch-size", 16 << 10, 1 << 10, 16 << 20, "", "largest batch of records of one topic");

    /** Compression of batches. */
    public static final Option<Compression> COMPRESSION =
            Option.choice("compression", Compression.NONE, "", "compression of batches", List.of(Compression.values()));

    /** Frames of one writer that may be committed and not yet stored. */
    public static final Option<Integer> WINDOW = Option.number(
            "window",
            1024,
            1,
            65_536,
            " frames",
            "the most frames that a writer has committed and that are not yet stored");

    /** Bytes that a connection's producer may hold: at least four of {@link #MAX_MESSAGE}. */
    public static final Option<Integer> BUFFER =
            Option.bytes("buffer", 64 << 20, 4 << 20, Integer.MAX_VALUE, "", "most memory of a connection's producer");

    /** Bytes of the largest record batch with one frame. */
    public static final Option<Integer> MAX_MESSAGE = Option.bytes(
            "max-message",
            1 << 20,
            1 << 10,
            64 << 20,
            "",
            "largest record; brokers have a limit, too, 1 MB by default");

    /** Time that a frame may stay unconfirmed before its writer fails. */
    public static final Option<Duration> DELIVERY_TIMEOUT = Option.time(
            "delivery-timeout", "30s", "100ms", "1h", "time that a frame may stay unconfirmed before its writer fails");

    /**
     * Transactions, with which a flush and the position that it answers are stored together or not at all, and a topic's next
     * writer fences the one before; only with idempotence. A frame is read when its transaction is committed, and each writer
     * has a producer and a thread of its own.
     */
    public static final Option<Boolean> TRANSACTIONS = Option.flag(
            "transactions",
            "false",
            "the outputs of an input and its position are stored together, in Kafka's transactions: exactly once");

    /**
     * Interval at which the ends of the topics of all writers are requested, so that an idle writer that was replaced fails,
     * after two intervals at the latest.
     */
    public static final Option<Duration> RIVAL_INTERVAL = Option.time(
            "rival-interval",
            "1s",
            "100ms",
            "1h",
            "interval of the check whether a newer writer has replaced an idle one");

    /**
     * Time that a broker holds a fetch without records. It costs no latency on a topic that is being fetched; a topic opened or
     * resumed meanwhile waits for the fetch in progress to end.
     */
    public static final Option<Duration> FETCH_WAIT =
            Option.time("fetch-wait", "100ms", "1ms", "10s", "time that a broker holds a fetch without records");

    /** Bytes fetched of one topic at a time. A larger frame comes nevertheless, alone. */
    public static final Option<Integer> FETCH_SIZE =
            Option.bytes("fetch-size", 256 << 10, 4 << 10, 64 << 20, "", "most bytes fetched of one topic at a time");

    /**
     * Bytes of heap that frames received and not yet polled may take for each reader. Its topic is paused beyond, with at most
     * two more fetches in flight.
     */
    public static final Option<Integer> READ_AHEAD = Option.bytes(
            "read-ahead", 1 << 20, 16 << 10, 1 << 30, "", "heap for frames received and not yet polled, per reader");

    /** Interval at which acknowledged positions are stored. After a crash what was acknowledged since comes again. */
    public static final Option<Duration> COMMIT_INTERVAL =
            Option.time("commit-interval", "1s", "10ms", "1h", "interval at which acknowledged positions are stored");

    /** Prefix of a consumer's name that makes the id of the consumer group that keeps its positions. */
    public static final Option<String> GROUP_PREFIX = Option.text(
                    "group-prefix", "baton.", "up to 100 characters", "text before a consumer's name in its group id")
            .where(prefix -> prefix.length() <= 100);

    /**
     * Replicas of the topics created here. With two and more, two have to be in sync for a frame to be stored with acks=all,
     * and with exactly two the topic takes no frames while either broker is away; {@code topic.min.insync.replicas} overrides
     * this. Existing topics keep their settings.
     */
    public static final Option<Integer> REPLICATION = Option.number(
            "replication",
            0,
            0,
            32,
            " replicas",
            "replicas of each topic that Baton creates; 0: three, or one per broker if there are fewer; with two or more,"
                    + " min.insync.replicas is 2 unless topic.min.insync.replicas sets another number");

    /**
     * Failure that a stored frame survives: {@link Durability#PROCESS}, or {@link Durability#REPLICATED}, with which writers
     * are opened only for topics that have two replicas in sync or more for each stored frame. Brokers sync to their disks as
     * they are configured, so there is no {@link Durability#HOST}.
     */
    public static final Option<Durability> DURABILITY = Option.choice(
            Durability.OPTION,
            Durability.PROCESS,
            "; not host, as the brokers' settings decide when they sync",
            "what stored frames survive: the end of every process, or also the loss of a host, which each topic"
                    + " is checked for",
            List.of(Durability.PROCESS, Durability.REPLICATED));

    /** Limit of calls that block for the cluster. */
    public static final Option<Duration> TIMEOUT =
            Option.time("timeout", "10s", "100ms", "10m", "limit of calls that block for the cluster");

    private static final List<Option<?>> ALL = List.of(
            BOOTSTRAP_SERVERS,
            ACKS,
            IDEMPOTENCE,
            LINGER,
            BATCH_SIZE,
            COMPRESSION,
            WINDOW,
            BUFFER,
            MAX_MESSAGE,
            DELIVERY_TIMEOUT,
            TRANSACTIONS,
            RIVAL_INTERVAL,
            FETCH_WAIT,
            FETCH_SIZE,
            READ_AHEAD,
            COMMIT_INTERVAL,
            GROUP_PREFIX,
            REPLICATION,
            DURABILITY,
            TIMEOUT);

    private static final OptionSpec CLIENT = new OptionSpec(
            "client",
            "",
            "client.KEY=VALUE",
            "setting for all Kafka clients, such as client.security.protocol; likewise producer., consumer., admin. and topic.");

    static final List<OptionSpec> SPECS =
            Stream.concat(ALL.stream().map(Option::spec), Stream.of(CLIENT)).collect(Collectors.toUnmodifiableList());

    private final Options options;
    private final Map<String, String> passed;

    private KafkaOptions(Options options, Map<String, String> passed) {
        this.options = options;
        this.passed = Map.copyOf(passed);
        check();
    }

    /**
     * {@return the defaults, for a cluster}
     *
     * @param bootstrapServers {@code host:port}, several with commas
     */
    public static KafkaOptions at(String bootstrapServers) {
        return parse(Map.of(BOOTSTRAP_SERVERS.spec().name(), bootstrapServers));
    }

    /** Parses {@code key=value} options; missing ones have their defaults. */
    static KafkaOptions parse(Map<String, String> typed) {
        Map<String, String> own = new HashMap<>();
        Map<String, String> passed = new HashMap<>();
        typed.forEach((key, value) -> (PassedSettings.isPassed(key) ? passed : own).put(key, value));
        return new KafkaOptions(new Options(KafkaTransport.NAME, SPECS, own), passed);
    }

    /** Checks every value, and the dependencies between options. */
    private void check() {
        if (options.isGiven(CLIENT.name())) {
            throw refused("client='" + options.text(CLIENT.name())
                    + "' is not allowed; name the setting, as in client.security.protocol=SSL");
        }
        options.typed(ALL); // or refuses a value
        if (!options.isGiven(BOOTSTRAP_SERVERS.spec().name())) {
            throw refused("bootstrap-servers is required, such as localhost:9092");
        }
        String acks = get(ACKS).text();
        if (isIdempotent() && get(ACKS) != Acks.ALL) {
            throw refused("idempotence=true is not allowed with acks=" + acks);
        }
        if (get(TRANSACTIONS) && !isIdempotent()) {
            throw refused("transactions=true is not allowed without acks=all and idempotence=true");
        }
        if (get(LINGER).multipliedBy(2).compareTo(get(DELIVERY_TIMEOUT)) > 0) {
            throw refused("linger=" + get(LINGER).toMillis() + "ms is not allowed with delivery-timeout="
                    + get(DELIVERY_TIMEOUT).toMillis() + "ms; twice the linger has to fit, as the broker's answer takes"
                    + " time, too");
        }
        if (get(BUFFER) / 4 < Math.max(get(MAX_MESSAGE), get(BATCH_SIZE))) {
            throw refused("buffer=" + get(BUFFER) + " is not allowed with max-message=" + get(MAX_MESSAGE)
                    + " and batch-size=" + get(BATCH_SIZE) + "; four of either have to fit");
        }
        if (get(DURABILITY) == Durability.REPLICATED && (get(ACKS) != Acks.ALL || get(REPLICATION) == 1)) {
            throw refused("durability=replicated is not allowed with acks=" + acks + " and replication="
                    + get(REPLICATION) + "; it needs acks=all, and replication=0 or at least 2");
        }
        PassedSettings.check(passed);
    }

    private static IllegalArgumentException refused(String what) {
        return new IllegalArgumentException(KafkaTransport.NAME + ": " + what);
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

    /** {@return whether the broker drops what a retry repeats; by default with acks=all} */
    public boolean isIdempotent() {
        return options.isGiven(IDEMPOTENCE.spec().name()) ? get(IDEMPOTENCE) : get(ACKS) == Acks.ALL;
    }

    /**
     * {@return these options with another value of one of them}
     *
     * @param <T> type of its values
     * @param option one of the constants of this class
     * @param value its value
     * @throws IllegalArgumentException when the value is not allowed, or not with the other options
     */
    public <T> KafkaOptions with(Option<T> option, T value) {
        return new KafkaOptions(options.with(option, value), passed);
    }

    /**
     * {@return the settings handed to Kafka as they are, each with a prefix for its receiver} {@code client.} for every client
     * that has the setting ({@code client.security.protocol}), {@code producer.}, {@code consumer.}, {@code admin.}, and
     * {@code topic.} for the topics created here. What the options of this class decide cannot be passed.
     */
    public Map<String, String> passed() {
        return passed;
    }

    /**
     * {@return these options with one more setting that is passed to Kafka}
     *
     * @param key with its prefix, as in {@code producer.send.buffer.bytes}
     * @param value as Kafka takes it
     */
    public KafkaOptions withPassed(String key, String value) {
        Map<String, String> more = new HashMap<>(passed);
        more.put(key, value);
        return new KafkaOptions(options, more);
    }

    /** Returns the options as typed, without the values of passed settings, which may be secret. */
    @Override
    public String toString() {
        return options.typed(ALL) + " passed=" + passed.keySet();
    }
}
