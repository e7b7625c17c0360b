package dev.baton.kafka;

import dev.baton.kafka.client.PassedSettings;
import dev.baton.spi.options.Durability;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The options of a {@link KafkaTransport}. Immutable, thread-safe.
 *
 * @param bootstrapServers addresses of the cluster: {@code host:port}, several with commas. While all brokers are away,
 *     clients try those that they knew last, each up to every 2 s ({@code client.reconnect.backoff.max.ms}); a cluster
 *     that comes back under other names needs a new transport
 * @param write the options of writing
 * @param read the options of reading
 * @param replication replicas of the topics created here, 0 to 32; 0: three, or as many as there are brokers. With two
 *     and more, two have to be in sync for a frame to be stored with acks=all, and with exactly two the topic takes no
 *     frames while either broker is away; {@code topic.min.insync.replicas} overrides this. Existing topics keep their
 *     settings
 * @param durability failure that a stored frame survives: {@link Durability#PROCESS} (the default), or {@link
 *     Durability#REPLICATED}, with which writers are opened only for topics that have two replicas in sync or more
 *     for each stored frame. Brokers sync to their disks as they are configured, so there is no {@link Durability#HOST}
 * @param timeout limit of calls that block for the cluster, 100 ms to 10 min; 10 s
 * @param passed settings handed to Kafka as they are, each with a prefix for its receiver: {@code client.} for every
 *     client that has the setting ({@code client.security.protocol}), {@code producer.}, {@code consumer.}, {@code
 *     admin.}, and {@code topic.} to the topics created here. What the options above decide cannot be passed
 */
public record KafkaOptions(
        String bootstrapServers,
        WriteOptions write,
        ReadOptions read,
        int replication,
        Durability durability,
        Duration timeout,
        Map<String, String> passed) {
    static final int MOST_REPLICATION = 32;
    static final Duration LEAST_TIMEOUT = Duration.ofMillis(100);
    static final Duration MOST_TIMEOUT = Duration.ofMinutes(10);

    /**
     * Checks every range, and copies what is passed.
     *
     * @param bootstrapServers addresses of the cluster: {@code host:port}, several with commas
     * @param write the options of writing
     * @param read the options of reading
     * @param replication replicas of the topics created here, 0 to 32
     * @param durability process or replicated; the latter needs acks=all and two replicas
     * @param timeout limit of calls that block for the cluster, 100 ms to 10 min
     * @param passed settings handed to Kafka as they are, each with its prefix
     */
    public KafkaOptions {
        if (!bootstrapServers.matches("\\S+:\\d+(,\\S+:\\d+)*")) {
            throw new IllegalArgumentException("bootstrap-servers='" + bootstrapServers
                    + "' is not allowed; host:port, several with commas and without blanks");
        }
        Ranges.check("replication", replication, 0, MOST_REPLICATION);
        if (durability != Durability.PROCESS && durability != Durability.REPLICATED) {
            throw new IllegalArgumentException("durability=" + durability + " is not allowed; process or replicated");
        }
        if (durability == Durability.REPLICATED && (write.acks() != Acks.ALL || replication == 1)) {
            throw new IllegalArgumentException("durability=replicated is not allowed with acks="
                    + write.acks().text() + " and replication=" + replication
                    + "; it needs acks=all, and replication=0 or at least 2");
        }
        Ranges.check("timeout", timeout, LEAST_TIMEOUT, MOST_TIMEOUT);
        passed = Map.copyOf(passed);
        PassedSettings.check(passed);
    }

    /** Returns the options without the values of passed settings, which may be secret. */
    @Override
    public String toString() {
        return "KafkaOptions[bootstrapServers=" + bootstrapServers + ", write=" + write + ", read=" + read
                + ", replication=" + replication + ", durability=" + durability + ", timeout=" + timeout + ", passed="
                + passed.keySet() + "]";
    }

    /**
     * {@return the defaults, for a cluster}
     *
     * @param bootstrapServers {@code host:port}, several with commas
     */
    public static KafkaOptions at(String bootstrapServers) {
        return new KafkaOptions(
                bootstrapServers,
                WriteOptions.defaults(),
                ReadOptions.defaults(),
                0,
                Durability.PROCESS,
                Duration.ofSeconds(10),
                Map.of());
    }

    /**
     * {@return a copy for another cluster}
     *
     * @param value {@code host:port}, several with commas
     */
    public KafkaOptions withBootstrapServers(String value) {
        return new KafkaOptions(value, write, read, replication, durability, timeout, passed);
    }

    /**
     * {@return a copy with other options of writing, as in {@code options.withWrite(write -> write.withWindow(64))}}
     *
     * @param change makes them of those there are
     */
    public KafkaOptions withWrite(UnaryOperator<WriteOptions> change) {
        return new KafkaOptions(bootstrapServers, change.apply(write), read, replication, durability, timeout, passed);
    }

    /**
     * {@return a copy with other options of reading, as in {@code options.withRead(read -> read.withFetchSize(1 <<
     * 20))}}
     *
     * @param change makes them of those there are
     */
    public KafkaOptions withRead(UnaryOperator<ReadOptions> change) {
        return new KafkaOptions(bootstrapServers, write, change.apply(read), replication, durability, timeout, passed);
    }

    /**
     * {@return a copy with another {@link #replication}}
     *
     * @param value replicas, 0 to 32
     */
    public KafkaOptions withReplication(int value) {
        return new KafkaOptions(bootstrapServers, write, read, value, durability, timeout, passed);
    }

    /**
     * {@return a copy with another {@link #durability}}
     *
     * @param value process or replicated
     */
    public KafkaOptions withDurability(Durability value) {
        return new KafkaOptions(bootstrapServers, write, read, replication, value, timeout, passed);
    }

    /**
     * {@return a copy with another {@link #timeout}}
     *
     * @param value 100 ms to 10 min
     */
    public KafkaOptions withTimeout(Duration value) {
        return new KafkaOptions(bootstrapServers, write, read, replication, durability, value, passed);
    }

    /**
     * {@return a copy with one more setting that is passed to Kafka}
     *
     * @param key with its prefix, as in {@code producer.send.buffer.bytes}
     * @param value as Kafka takes it
     */
    public KafkaOptions withPassed(String key, String value) {
        Map<String, String> more = new HashMap<>(passed);
        more.put(key, value);
        return new KafkaOptions(bootstrapServers, write, read, replication, durability, timeout, more);
    }
}
