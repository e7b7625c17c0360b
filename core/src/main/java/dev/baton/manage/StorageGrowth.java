package dev.baton.manage;

/**
 * The disk space of a transport's topics, and its growth. Immutable, thread-safe.
 *
 * @param bytes disk space of all topics
 * @param freeBytes disk space that writers may still use
 * @param bytesPerHour growth of the topics, measured over the last hour at most; null before a minute has passed
 * @param secondsUntilFull time until the disk is full, at the rate at which the topics grow or the free space shrinks,
 *     whichever is faster; null if it is not known or neither happens
 */
public record StorageGrowth(long bytes, long freeBytes, Long bytesPerHour, Long secondsUntilFull) {}
