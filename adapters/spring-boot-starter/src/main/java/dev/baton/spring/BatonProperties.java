package dev.baton.spring;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of an application under {@code baton}. An unknown name fails the start.
 *
 * @param transport Name of the transport that chains run over. May be omitted when the class path has only one.
 * @param transports Options of each transport by its name, as listed by ./baton transports.
 * @param loops Threads that chains run on.
 * @param chains Settings of single chains, by the chain's name.
 * @param kafkaTopics Plain Kafka topics that chains begin and end at.
 * @param restart Restart policy of chains that failed.
 * @param autoStart Whether chains start with the application.
 * @param shutdownTimeout Time for all chains together to drain and store in-flight messages at a stop.
 * @param stuckAfter Time for which a callback may block its loop until the application counts as broken, for the liveness probe.
 */
@ConfigurationProperties(prefix = "baton", ignoreUnknownFields = false)
public record BatonProperties(
        String transport,
        Map<String, Map<String, String>> transports,
        @DefaultValue LoopThreads loops,
        Map<String, ChainSettings> chains,
        @DefaultValue KafkaTopics kafkaTopics,
        @DefaultValue Restarts restart,
        @DefaultValue("true") boolean autoStart,
        @DefaultValue("20s") Duration shutdownTimeout,
        @DefaultValue("1m") Duration stuckAfter) {
    /**
     * Makes missing maps empty.
     *
     * @param transport Name of the transport that chains run over
     * @param transports Options of each transport by its name, as listed by ./baton transports
     * @param loops Threads that chains run on
     * @param chains Settings of single chains, by the chain's name
     * @param kafkaTopics Plain Kafka topics that chains begin and end at
     * @param restart Restart policy of chains that failed
     * @param autoStart Whether chains start with the application
     * @param shutdownTimeout Time for all chains together to drain and store in-flight messages at a stop
     * @param stuckAfter Time for which a callback may block its loop until the application counts as broken, for the
     *     liveness probe
     */
    public BatonProperties {
        transports = transports == null ? Map.of() : transports;
        chains = chains == null ? Map.of() : chains;
    }

    /** The assignment of chains to threads. */
    public enum Kind {
        /** A fixed number of threads, each with whole chains. */
        COOPERATIVE,
        /** A thread for each service, which may block. */
        PER_SERVICE,
        /** A virtual thread for each service, which may block; JDK 21 and later. */
        VIRTUAL
    }

    /** The idle strategy of loops. */
    public enum Idling {
        /** Spins briefly, then waits for 50 us to 1 ms. */
        BACKOFF,
        /** Keeps a core busy. */
        SPIN
    }

    /**
     * Threads that chains run on.
     *
     * @param kind Assignment of chains to threads.
     * @param count Number of cooperative loops, 1 to 1024.
     * @param idle Idle strategy of loops.
     * @param latencyBudget Time that a message may take through its chain, 100 us or more, so that loops sweep less often.
     */
    public record LoopThreads(
            @DefaultValue("cooperative") Kind kind,
            @DefaultValue("1") int count,
            @DefaultValue("backoff") Idling idle,
            Duration latencyBudget) {}

    /**
     * Settings of one chain.
     *
     * @param transport Name of its transport, where that is another one.
     * @param partitions Number of partitions, 1 to 1024; as many as the topic of from-kafka by default, otherwise none.
     * @param member Name of this process in the group that shares the partitions, kept over restarts, such as a pod's name.
     * @param instance Number of this instance of the chain, 0 or more, where several run side by side over one transport.
     * @param only Names of the services that run in this process, where others run elsewhere.
     * @param batch Most messages handled before outputs are handed over.
     * @param fromKafka Plain Kafka topic that feeds the chain.
     * @param fromKafkaType Type of the messages that it feeds, which their codec reads. Of values only.
     * @param toKafka Plain Kafka topic that takes the chain's outputs.
     * @param inletCapacity Messages that may wait in BatonChains.inlet, 1 to 16777216.
     */
    public record ChainSettings(
            String transport,
            Integer partitions,
            String member,
            @DefaultValue("0") int instance,
            List<String> only,
            Integer batch,
            String fromKafka,
            @DefaultValue("0") int fromKafkaType,
            String toKafka,
            @DefaultValue("1024") int inletCapacity) {
        static final ChainSettings DEFAULT = new ChainSettings(null, null, null, 0, null, null, null, 0, null, 1024);
    }

    /**
     * Plain Kafka topics that chains begin and end at.
     *
     * @param bootstrapServers Addresses of the Kafka cluster with the plain topics; by default those of the transport kafka.
     * @param client Further properties of all Kafka clients for plain topics.
     * @param valuesOnly Whether the payload is only a record's value. Otherwise it is a KafkaRecord.
     */
    public record KafkaTopics(
            String bootstrapServers,
            Map<String, String> client,
            @DefaultValue("true") boolean valuesOnly) {
        /**
         * Makes missing properties empty.
         *
         * @param bootstrapServers Addresses of the Kafka cluster with the plain topics
         * @param client Further properties of all Kafka clients for plain topics
         * @param valuesOnly Whether the payload is only a record's value
         */
        public KafkaTopics {
            client = client == null ? Map.of() : client;
        }
    }

    /**
     * The restart policy of chains that failed.
     *
     * @param enabled Whether chains are opened again after failures of their transport. Inlets stay usable.
     * @param firstPause Pause before the first restart.
     * @param longestPause Longest pause, up to which the pauses double.
     */
    public record Restarts(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("100ms") Duration firstPause,
            @DefaultValue("5s") Duration longestPause) {}
}
