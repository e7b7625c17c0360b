package dev.baton.spi;

/**
 * What the topics of a transport take of the file system that they lie on. Immutable, thread-safe.
 *
 * @param bytes that all topics take now
 * @param freeBytes that writers may still take
 */
public record StorageUse(long bytes, long freeBytes) {}
