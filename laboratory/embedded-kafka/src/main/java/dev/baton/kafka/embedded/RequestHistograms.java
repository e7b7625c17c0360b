package dev.baton.kafka.embedded;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.network.metrics.RequestMetrics;
import org.apache.kafka.server.metrics.KafkaMetricsGroup;

/**
 * The histograms of a broker's requests, eight for each kind, registered before the broker registers them, which then uses these.
 *
 * <p>Kafka's own sort each value into a sample that favours recent ones, which takes a sixth of the CPU time of a JVM without C2 that
 * runs a broker and its clients. These replace a random value of a uniform sample. Stateless.
 */
final class RequestHistograms {
    private static final List<String> NAMES = List.of(
            "RequestQueueTimeMs",
            "LocalTimeMs",
            "RemoteTimeMs",
            "ThrottleTimeMs",
            "ResponseQueueTimeMs",
            "ResponseSendTimeMs",
            "TotalTimeMs",
            "RequestBytes");

    private RequestHistograms() {}

    /** Registers them, but for those that a broker of this JVM uses already. */
    static void register() {
        KafkaMetricsGroup group = new KafkaMetricsGroup("kafka.network", "RequestMetrics");
        Stream.concat(
                        Arrays.stream(ApiKeys.values()).map(key -> key.name),
                        Stream.of(
                                RequestMetrics.CONSUMER_FETCH_METRIC_NAME,
                                RequestMetrics.FOLLOW_FETCH_METRIC_NAME,
                                RequestMetrics.VERIFY_PARTITIONS_IN_TXN_METRIC_NAME))
                .forEach(request -> NAMES.forEach(name -> group.newHistogram(name, false, Map.of("request", request))));
    }
}
