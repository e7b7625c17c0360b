package dev.baton.manage;

/**
 * What the topics of a transport take of their file system, and how fast that grows. Immutable, thread-safe.
 *
 * @param bytes that all topics there take
 * @param freeBytes that writers may still take
 * @param bytesPerHour that the topics grow by, over the last hour at most; null before a minute has passed
 * @param secondsUntilFull at the rate at which the topics grow or the free space shrinks, whichever is faster; null when it
 *     is not known or neither does
 */
public record StorageGrowth(long bytes, long freeBytes, Long bytesPerHour, Long secondsUntilFull) {}
