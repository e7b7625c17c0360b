package dev.baton.lab.results;

/**
 * The resources of a process at one moment, after a full garbage collection; null: unknown.
 *
 * @param anonymousBytes of resident memory: heap, stacks and the like
 * @param fileBytes of resident memory: mapped files and shared memory
 * @param heapBytes that are reachable
 * @param directBytes outside the heap in the JDK's direct and mapped buffers
 * @param descriptors that are open
 * @param maps of memory, as the kernel counts them
 * @param threads that are alive
 * @param diskBytes of the queues' directory, without holes
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
