package dev.baton.lab.request;

import dev.baton.operations.settings.Range;

/**
 * All the memory that a JVM may take, and how its limits divide it: the parts add up to the whole. Immutable,
 * thread-safe.
 *
 * @param totalBytes of the process
 * @param heapBytes of objects
 * @param directBytes of buffers outside the heap
 * @param metaspaceBytes of classes
 * @param codeBytes of compiled code
 * @param threads that have room for their stacks
 * @param stackBytes of each
 * @param ownBytes of the JVM itself: its library, the collector's tables, the compilers at work; no flag bounds these
 * @param isGroup whether a control group limits the whole process; otherwise only the parts are held to theirs
 */
public record MemoryBudget(
        long totalBytes,
        long heapBytes,
        long directBytes,
        long metaspaceBytes,
        long codeBytes,
        int threads,
        long stackBytes,
        long ownBytes,
        boolean isGroup) {
    /** The least budget; below it the JVM itself takes most of the memory. */
    public static final long LEAST_BYTES = 64L << 20;

    public static final long MOST_BYTES = 1L << 40;

    private static final long MEGA = 1 << 20;
    /** The threads of the JVM, the laboratory and one loop. */
    private static final int OWN_THREADS = 24;

    private static final long LEAST_HEAP_BYTES = 6 << 20;
    private static final long STACK = 256 << 10;

    public MemoryBudget {
        Range.check("memory, in bytes,", totalBytes, LEAST_BYTES, MOST_BYTES);
        long sum = heapBytes + directBytes + metaspaceBytes + codeBytes + threads * stackBytes + ownBytes;
        if (sum != totalBytes) {
            throw new IllegalArgumentException("the parts add up to " + sum + " bytes and not to " + totalBytes);
        }
    }

    /**
     * Divides it. What a chain over the Disruptor was seen to take: 12 MB of classes, 8 MB of code, 12 MB for the
     * compilers at their peak, 20 threads; the rest is the heap's.
     *
     * @param threads that the trial starts beyond those that every trial has
     * @throws IllegalArgumentException when that leaves no heap
     */
    public static MemoryBudget of(long totalBytes, int threads, boolean isGroup) {
        Range.check("memory, in bytes,", totalBytes, LEAST_BYTES, MOST_BYTES);
        long metaspace = share(totalBytes, 6, 14, 128);
        long code = share(totalBytes, 8, 10, 48);
        long direct = share(totalBytes, 16, 4, 1024);
        long own = 20 * MEGA + share(totalBytes, 16, 4, 1024);
        int all = OWN_THREADS + threads;
        long heap = totalBytes - metaspace - code - direct - own - all * STACK;
        if (heap < LEAST_HEAP_BYTES) {
            throw new IllegalArgumentException("memory of " + totalBytes / MEGA + " MiB leaves " + heap / MEGA
                    + " MiB of heap beside " + all + " stacks of " + STACK / 1024 + " KiB; at least "
                    + LEAST_HEAP_BYTES / MEGA + " MiB of heap are needed");
        }
        return new MemoryBudget(totalBytes, heap, direct, metaspace, code, all, STACK, own, isGroup);
    }

    private static long share(long total, int part, int leastMegabytes, int mostMegabytes) {
        return Math.max(leastMegabytes, Math.min(mostMegabytes, total / part / MEGA)) * MEGA;
    }
}
