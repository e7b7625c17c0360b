package dev.baton.kafka.client;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.Metadata;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.internals.ClusterResourceListeners;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.common.utils.Time;

/**
 * The addresses that brokers advertise to clients ({@code advertised.listeners}), requested from the bootstrap servers.
 *
 * <p>A client uses a bootstrap server only to fetch these addresses, and never reports that they cannot be reached. No
 * public class of kafka-clients exposes them, so this one uses its network client; with a version in which that has
 * changed no addresses are found. Stateless, thread-safe.
 */
final class AdvertisedAddresses {
    private static final long POLL_MILLIS = 50;
    private static final long RETRY_MILLIS = 100;
    private static final long NEVER_MILLIS = 3_600_000;

    private AdvertisedAddresses() {}

    /**
     * Asks the bootstrap servers. Blocks until the deadline at most.
     *
     * @param settings of an admin client
     * @return {@code host:port} of each broker; empty when no bootstrap server answered
     */
    static List<String> ask(Map<String, Object> settings, Deadline deadline) {
        LogContext log = new LogContext();
        try (Metadata metadata =
                        new Metadata(RETRY_MILLIS, RETRY_MILLIS, NEVER_MILLIS, log, new ClusterResourceListeners());
                Metrics metrics = new Metrics()) {
            AdminClientConfig config = new AdminClientConfig(settings);
            metadata.bootstrap(ClientUtils.parseAndValidateAddresses(config));
            try (NetworkClient client = ClientUtils.createNetworkClient(
                    config, metrics, "advertised", log, new ApiVersions(), Time.SYSTEM, 1, metadata, null, null)) {
                int before = metadata.requestUpdate(true);
                while (metadata.updateVersion() == before && !deadline.isOver()) {
                    client.poll(POLL_MILLIS, System.currentTimeMillis());
                }
                return metadata.fetch().nodes().stream()
                        .filter(node -> node.id() >= 0) // the bootstrap servers have other ids
                        .map(AdvertisedAddresses::text)
                        .toList();
            }
        } catch (KafkaException | LinkageError unknown) {
            return List.of();
        }
    }

    private static String text(Node node) {
        return node.host() + ":" + node.port();
    }
}
