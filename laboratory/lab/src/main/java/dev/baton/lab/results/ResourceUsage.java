package dev.baton.lab.results;

/**
 * What a process held at one moment, all garbage collected; null: could not be told.
 *
 * @param anonymousBytes of resident memory: heap, stacks and the like
 * @param fileBytes of resident memory: mapped files and shared memory
 * @param heapBytes that are reachable
 * @param directBytes outside the heap in the JDK's direct and mapped buffers
 * @param descriptors open
 * @param maps of memory, as the kernel counts them
 * @param threads that live
 * @param diskBytes that the queues' directory takes, holes not counted
 * @param allocatedBytes by all threads of the program so far
 */
public record ResourceUsage(
        Long anonymousBytes,
        Long fileBytes,
        Long heapBytes,
        Long directBytes,
        Long descriptors,
        Long maps,
        Long threads,
        Long diskBytes,
        Long allocatedBytes) {}
