package dev.baton.kafka;

import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.TransportProvider.TopicFootprint;
import dev.baton.spi.options.OptionSpec;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Opens {@link KafkaTransport}s by name and {@code key=value}. Thread-safe. */
public final class KafkaProvider implements TransportProvider {
    /**
     * The linger time with which the records of one sweep leave in one request: without it the producer's thread sends
     * the first of them alone, and the rest waits for its answer. 20 instances, p99.9: 89 ms with it, 116 and 134 ms
     * without, 144 ms with 4 ms.
     */
    private static final Map<String, String> LINGERING = Map.of("linger", "2ms");

    /** Options with which a frame counts as stored when it has a single copy. */
    private static final List<Map.Entry<String, String>> SINGLE_COPY =
            List.of(Map.entry("acks", "1"), Map.entry("replication", "1"));

    /**
     * Found in trials with 20 and 200 chains of six topics: 107 KB of heap; in the broker 1 descriptor and 2 maps; 64
     * bytes a frame when batched. Rounded up.
     */
    private static final TopicFootprint FOOTPRINT = new TopicFootprint(
            256 << 10, 64 << 10, 3, 3, 64 << 10, 128, TopicFootprint.UNBOUNDED, TopicFootprint.UNBOUNDED);

    @Override
    public String name() {
        return KafkaTransport.NAME;
    }

    @Override
    public String summary() {
        return "Apache Kafka: replicated topics on a cluster of brokers (clients " + KafkaProperties.version() + ")";
    }

    @Override
    public Set<Guarantee> guarantees() {
        return KafkaProperties.guarantees();
    }

    @Override
    public List<OptionSpec> options() {
        return KafkaOptions.SPECS;
    }

    @Override
    public Map<String, String> manyTopicsOptions(int payloadBytes, double framesPerSecond) {
        return LINGERING;
    }

    @Override
    public Map<String, String> longRunOptions() {
        return LINGERING;
    }

    @Override
    public TopicFootprint topicFootprint(Map<String, String> options) {
        return FOOTPRINT;
    }

    @Override
    public String lostWithHost(Map<String, String> options) {
        return SINGLE_COPY.stream()
                .filter(option -> option.getValue().equals(options.get(option.getKey())))
                .map(option -> option.getKey() + "=" + option.getValue() + " stores a single copy")
                .findFirst()
                .orElse(null);
    }

    /** Opens a transport; whether a broker answers is seen when it is first asked. */
    @Override
    public Transport open(Map<String, String> options) {
        return KafkaTransport.at(KafkaOptions.parse(options));
    }
}
