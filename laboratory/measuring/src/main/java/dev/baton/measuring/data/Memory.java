package dev.baton.measuring.data;

/**
 * Resident memory.
 *
 * @param residentBytes all of it
 * @param anonymousBytes heap, stacks and the like; null where the system does not distinguish them
 * @param fileBytes mapped files and shared memory; null where the system does not distinguish them
 */
public record Memory(long residentBytes, Long anonymousBytes, Long fileBytes) {}
