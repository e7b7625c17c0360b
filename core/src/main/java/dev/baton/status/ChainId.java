package dev.baton.status;

/**
 * The identity of a running chain, or of one of its partitions. Immutable, thread-safe.
 *
 * @param name name of the chain
 * @param instance number of this instance of the chain
 * @param partition number of the partition; -1 for a chain without partitions, and for all of them together
 */
public record ChainId(String name, int instance, int partition) {}
