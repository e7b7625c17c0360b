package dev.baton.kafka;

import dev.baton.spi.options.Durability;
import dev.baton.spi.options.OptionSpec;
import dev.baton.spi.options.Options;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The options as {@code key=value}: names, defaults, ranges, and their parser. Stateless. */
final class OptionTexts {
    private static final WriteOptions WRITE = WriteOptions.defaults();
    private static final ReadOptions READ = ReadOptions.defaults();

    static final List<OptionSpec> SPECS = List.of(
            new OptionSpec(
                    "bootstrap-servers", "", "host:port, several with commas", "addresses of the cluster; required"),
            new OptionSpec(
                    "acks",
                    "all",
                    "all or 1",
                    "the acknowledgement that makes a frame stored: of all in-sync replicas, or of the leader"),
            new OptionSpec(
                    "idempotence",
                    "",
                    "true or false",
                    "the broker drops what a retry repeats; default true with acks=all, otherwise false"),
            new OptionSpec("linger", "0ms", "0ms to 1s", "time that a record waits for others to share its batch"),
            OptionSpec.ofBytes(
                    "batch-size",
                    WRITE.batchSize(),
                    WriteOptions.LEAST_BATCH,
                    WriteOptions.MOST_BATCH,
                    "",
                    "largest batch of records of one topic"),
            new OptionSpec("compression", "none", "none, gzip, snappy, lz4 or zstd", "of batches"),
            new OptionSpec(
                    "window", "1024", "1 to 65536 frames", "most frames of a writer committed and not yet stored"),
            OptionSpec.ofBytes(
                    "buffer",
                    WRITE.buffer(),
                    WriteOptions.LEAST_BUFFER,
                    WriteOptions.MOST_BUFFER,
                    "",
                    "most memory of a connection's producer"),
            OptionSpec.ofBytes(
                    "max-message",
                    WRITE.maxMessage(),
                    WriteOptions.LEAST_MESSAGE,
                    WriteOptions.MOST_MESSAGE,
                    "",
                    "largest record; brokers have a limit, too, 1 MB by default"),
            new OptionSpec(
                    "delivery-timeout",
                    "30s",
                    "100ms to 1h",
                    "time that a frame may stay unconfirmed before its writer fails"),
            new OptionSpec(
                    "transactions",
                    "false",
                    "true or false",
                    "outputs and the positions they answer are stored together or not at all: exactly once"),
            new OptionSpec(
                    "rival-interval",
                    "1s",
                    "100ms to 1h",
                    "interval of the check whether a newer writer has replaced an idle one"),
            new OptionSpec("fetch-wait", "100ms", "1ms to 10s", "time that a broker holds a fetch without records"),
            OptionSpec.ofBytes(
                    "fetch-size",
                    READ.fetchSize(),
                    ReadOptions.LEAST_FETCH,
                    ReadOptions.MOST_FETCH,
                    "",
                    "most bytes fetched of one topic at a time"),
            OptionSpec.ofBytes(
                    "read-ahead",
                    READ.readAhead(),
                    ReadOptions.LEAST_AHEAD,
                    ReadOptions.MOST_AHEAD,
                    "",
                    "heap for frames received and not yet polled, per reader"),
            new OptionSpec(
                    "commit-interval", "1s", "10ms to 1h", "interval at which acknowledged positions are stored"),
            new OptionSpec(
                    "group-prefix",
                    "baton.",
                    "up to 100 characters",
                    "prefix of a consumer's name that makes its group id"),
            new OptionSpec(
                    "replication",
                    "0",
                    "0 to 32 replicas",
                    "of topics created here; 0: three, or as many as there are brokers; of two and more two have to be in"
                            + " sync, or topic.min.insync.replicas"),
            new OptionSpec(
                    Durability.OPTION,
                    "process",
                    "process or replicated, as brokers sync when they are configured to",
                    "what stored frames survive: the end of every process, or also the loss of a host, which each topic"
                            + " is checked for"),
            new OptionSpec("timeout", "10s", "100ms to 10m", "limit of calls that block for the cluster"),
            new OptionSpec(
                    "client",
                    "",
                    "client.KEY=VALUE",
                    "setting for all Kafka clients, such as client.security.protocol; likewise producer., consumer., admin. and topic."));

    private OptionTexts() {}

    static KafkaOptions parse(Options options, Map<String, String> passed) {
        Durability durability = options.choice(Durability.OPTION, Durability.PROCESS, Durability.REPLICATED);
        if (!options.isGiven("bootstrap-servers")) {
            throw new IllegalArgumentException("kafka: bootstrap-servers is required, such as localhost:9092");
        }
        if (options.isGiven("client")) {
            throw new IllegalArgumentException("kafka: client='" + options.text("client")
                    + "' is not allowed; name the setting, as in client.security.protocol=SSL");
        }
        return new KafkaOptions(
                options.text("bootstrap-servers"),
                write(options),
                read(options),
                options.integer("replication", 0, KafkaOptions.MOST_REPLICATION),
                durability,
                options.duration("timeout", KafkaOptions.LEAST_TIMEOUT, KafkaOptions.MOST_TIMEOUT),
                passed);
    }

    private static WriteOptions write(Options options) {
        Acks acks = Acks.parse(options.text("acks"));
        return new WriteOptions(
                acks,
                options.isGiven("idempotence") ? options.flag("idempotence") : acks == Acks.ALL,
                options.duration("linger", Duration.ZERO, WriteOptions.MOST_LINGER),
                options.bytes("batch-size", WriteOptions.LEAST_BATCH, WriteOptions.MOST_BATCH),
                options.choice("compression", Compression.class),
                options.integer("window", 1, WriteOptions.MOST_WINDOW),
                options.bytes("buffer", WriteOptions.LEAST_BUFFER, WriteOptions.MOST_BUFFER),
                options.bytes("max-message", WriteOptions.LEAST_MESSAGE, WriteOptions.MOST_MESSAGE),
                options.duration("delivery-timeout", WriteOptions.LEAST_DELIVERY, WriteOptions.MOST_DELIVERY),
                options.flag("transactions"),
                options.duration("rival-interval", WriteOptions.LEAST_RIVAL, WriteOptions.MOST_RIVAL));
    }

    private static ReadOptions read(Options options) {
        return new ReadOptions(
                options.duration("fetch-wait", ReadOptions.LEAST_FETCH_WAIT, ReadOptions.MOST_FETCH_WAIT),
                options.bytes("fetch-size", ReadOptions.LEAST_FETCH, ReadOptions.MOST_FETCH),
                options.bytes("read-ahead", ReadOptions.LEAST_AHEAD, ReadOptions.MOST_AHEAD),
                options.duration("commit-interval", ReadOptions.LEAST_COMMIT, ReadOptions.MOST_COMMIT),
                options.text("group-prefix"));
    }
}
