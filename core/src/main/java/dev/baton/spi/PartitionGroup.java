package dev.baton.spi.group;

import java.time.Duration;

/**
 * A group of processes that share the partitions of a topic, as one of them joins it. Immutable, thread-safe.
 *
 * @param name name of the group, the same in all of these processes
 * @param topic topic whose partitions are shared, without a partition
 * @param partitions number of partitions of the topic
 * @param member unique name of the process, which it keeps when it is started again
 * @param sessionTimeout time without a sign of life after which a member loses its partitions
 * @param revokeTimeout maximum time that {@link PartitionListener#revoked} takes
 */
public record PartitionGroup(
        String name, String topic, int partitions, String member, Duration sessionTimeout, Duration revokeTimeout) {}
