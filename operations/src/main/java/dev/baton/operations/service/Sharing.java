package dev.baton.operations.service;

import java.time.Duration;

/**
 * How a process shares the partitions of its services with others. Immutable, thread-safe.
 *
 * @param partitions of every topic
 * @param member name of this process in its group
 * @param sessionTimeout after which silence its partitions go to others
 * @param keepsPartitions whether they wait for it when it is asked to end
 */
public record Sharing(int partitions, String member, Duration sessionTimeout, boolean keepsPartitions) {}
