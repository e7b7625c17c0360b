package dev.baton.spi;

import java.time.Duration;

/**
 * What one process joins to share the partitions of a topic with others. Immutable, thread-safe.
 *
 * @param name of the group, the same in all processes that share
 * @param topic whose partitions are shared, without a partition
 * @param partitions of the topic
 * @param member the process, by a name that no other one has and that it keeps when it is started again
 * @param sessionTimeout without a sign of life after which a member has lost its partitions
 * @param revokeTimeout the longest that {@link PartitionListener#revoked} takes
 */
public record PartitionGroup(
        String name, String topic, int partitions, String member, Duration sessionTimeout, Duration revokeTimeout) {}
