package dev.baton.spi;

/**
 * The disk space of a transport's topics on their file system. Immutable, thread-safe.
 *
 * @param bytes disk space that all topics use now
 * @param freeBytes disk space that writers may still use
 */
public record StorageUse(long bytes, long freeBytes) {}
