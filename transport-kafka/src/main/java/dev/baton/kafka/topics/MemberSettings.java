package dev.baton.kafka.topics;

import dev.baton.kafka.KafkaOptions;
import dev.baton.kafka.client.ClientSettings;
import dev.baton.spi.PartitionGroup;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;

/** The settings of a consumer that reads nothing and is there to be assigned partitions. Stateless. */
final class MemberSettings {
    /** How soon a member learns that another one has come or gone; partitions that move stand still as long. */
    private static final int MOST_HEARTBEAT_MILLIS = 300;

    /**
     * What a call to the holder may take beside the time to give partitions up: it opens the chains of its new partitions. The group
     * waits as long for a member that lives and does not come to the table.
     */
    private static final Duration OPEN_LIMIT = Duration.ofMinutes(2);

    private MemberSettings() {}

    static Map<String, Object> of(
            PartitionGroup group, KafkaOptions options, ClientSettings settings, String clientId) {
        Map<String, Object> all = new HashMap<>(settings.tailConsumer(clientId));
        int sessionMillis = Math.toIntExact(group.sessionTimeout().toMillis());
        all.put(ConsumerConfig.GROUP_ID_CONFIG, groupId(group, options));
        all.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, group.member());
        all.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, sessionMillis);
        all.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, Math.min(MOST_HEARTBEAT_MILLIS, sessionMillis / 4));
        all.put(
                ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG,
                Math.toIntExact(group.revokeTimeout().plus(OPEN_LIMIT).toMillis()));
        all.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
        return all;
    }

    /** Not the group of a consumer's positions, whose offsets can only be altered while it has no members. */
    static String groupId(PartitionGroup group, KafkaOptions options) {
        return options.read().groupPrefix() + group.name();
    }
}
