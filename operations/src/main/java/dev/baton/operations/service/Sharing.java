package dev.baton.operations.service;

import java.time.Duration;

/**
 * How a process shares the lanes of its services with others. Immutable, thread-safe.
 *
 * @param lanes of every topic
 * @param member name of this process in its group
 * @param sessionTimeout after which silence its lanes go to others
 * @param keepsLanes whether they wait for it when it is asked to end
 */
public record Sharing(int lanes, String member, Duration sessionTimeout, boolean keepsLanes) {}
