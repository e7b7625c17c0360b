package dev.baton.spi;

import java.time.Duration;

/**
 * What one process joins to share the lanes of a topic with others. Immutable, thread-safe.
 *
 * @param name of the group, the same in all processes that share
 * @param topic whose lanes are shared, without a lane
 * @param lanes of the topic
 * @param member the process, by a name that no other one has and that it keeps when it is started again
 * @param sessionTimeout without a sign of life after which a member has lost its lanes
 * @param giveUpLimit the longest that {@link LaneHolder#giveUp} takes
 */
public record LaneGroup(
        String name, String topic, int lanes, String member, Duration sessionTimeout, Duration giveUpLimit) {}
