package dev.baton.kafka.client;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
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
import org.apache.kafka.common.utils.Time;

/**
 * The addresses that brokers advertise to clients ({@code advertised.listeners}), requested from the bootstrap servers.
 *
 * <p>A client uses a bootstrap server only to fetch these addresses, and never reports that they cannot be reached. No
 * public class of kafka-clients exposes them, so this one uses its network client. Version 4.4 has moved the class of its log context and
 * added a parameter, so what has either in its signature is called by reflection; with a version in which more has changed no addresses are
 * found. Stateless, thread-safe.
 */
final class AdvertisedAddresses {
    private static final long POLL_MILLIS = 50;
    private static final long RETRY_MILLIS = 100;
    private static final long NEVER_MILLIS = 3_600_000;
    private static final int LOG_CONTEXT = 3; // among the parameters of Metadata
    private static final int PARAMETERS = 10; // of createNetworkClient until 4.3

    private AdvertisedAddresses() {}

    /**
     * Asks the bootstrap servers. Blocks until the deadline at most.
     *
     * @param settings of an admin client
     * @return {@code host:port} of each broker; empty when no bootstrap server answered
     */
    static List<String> ask(Map<String, Object> settings, Deadline deadline) {
        try (Metrics metrics = new Metrics()) {
            Constructor<?> constructor = Metadata.class.getConstructors()[0];
            Object log = constructor
                    .getParameterTypes()[LOG_CONTEXT]
                    .getConstructor()
                    .newInstance();
            AdminClientConfig config = new AdminClientConfig(settings);
            List<String> bootstrap = config.getList(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG);
            try (Metadata metadata = (Metadata) constructor.newInstance(
                            RETRY_MILLIS, RETRY_MILLIS, NEVER_MILLIS, log, new ClusterResourceListeners());
                    NetworkClient client = networkClient(config, bootstrap, metrics, log, metadata)) {
                metadata.bootstrap(ClientUtils.parseAndValidateAddresses(
                        bootstrap, config.getString(AdminClientConfig.CLIENT_DNS_LOOKUP_CONFIG)));
                int before = metadata.requestUpdate(true);
                while (metadata.updateVersion() == before && !deadline.isOver()) {
                    client.poll(POLL_MILLIS, System.currentTimeMillis());
                }
                return metadata.fetch().nodes().stream()
                        .filter(node -> node.id() >= 0) // the bootstrap servers have other ids
                        .map(AdvertisedAddresses::text)
                        .toList();
            }
        } catch (KafkaException | ReflectiveOperationException | LinkageError | IllegalArgumentException unknown) {
            return List.of();
        }
    }

    private static NetworkClient networkClient(
            AdminClientConfig config, List<String> bootstrap, Metrics metrics, Object log, Metadata metadata)
            throws ReflectiveOperationException {
        List<Object> values = new ArrayList<>(List.of(config));
        Collections.addAll(values, metrics, "advertised", log, new ApiVersions(), Time.SYSTEM, 1, metadata, null, null);
        for (Method method : ClientUtils.class.getMethods()) {
            boolean isNamed = method.getName().equals("createNetworkClient");
            int parameters = method.getParameterCount();
            if (isNamed && parameters == PARAMETERS) {
                return (NetworkClient) method.invoke(null, values.toArray());
            }
            if (isNamed && parameters == PARAMETERS + 1) {
                values.add(1, bootstrap);
                return (NetworkClient) method.invoke(null, values.toArray());
            }
        }
        throw new NoSuchMethodException("createNetworkClient");
    }

    private static String text(Node node) {
        return node.host() + ":" + node.port();
    }
}
