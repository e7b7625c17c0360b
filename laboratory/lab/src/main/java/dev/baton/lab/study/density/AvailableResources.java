package dev.baton.lab.study.density;

import java.nio.file.Path;
import java.util.Locale;

/**
 * What a machine has to give now. Where a limit is unknown it is {@link Long#MAX_VALUE}. Immutable, thread-safe.
 *
 * @param memoryBytes that programs may still take
 * @param queues directory that queues will lie in
 * @param queueBytes free there
 * @param isQueueMemory whether that directory is memory itself, as {@code /dev/shm} is
 * @param descriptors a process may open
 * @param maps a process may have
 * @param threads that may still be started
 * @param threadsRemedy the command that raises that limit
 */
public record AvailableResources(
        long memoryBytes,
        Path queues,
        long queueBytes,
        boolean isQueueMemory,
        long descriptors,
        long maps,
        long threads,
        String threadsRemedy) {
    /** Left to everything else: a machine that runs out of memory kills, or swaps, what is measured. */
    private static final double USABLE = 0.9;

    /** What of this demand cannot be met, the first of several; null when all can. */
    public MissingResource shortage(RequiredResources required) {
        if (required.descriptors() > descriptors) {
            return counted("open files", required.descriptors(), descriptors, "ulimit -n " + required.descriptors());
        }
        if (required.maps() > maps) {
            return counted("memory maps", required.maps(), maps, "sudo sysctl -w vm.max_map_count=" + required.maps());
        }
        if (required.threads() > threads) {
            return counted("threads", required.threads(), threads, threadsRemedy);
        }
        long memory = required.memoryBytes() + (isQueueMemory ? required.queueBytes() : 0);
        if (memory > memoryBytes * USABLE) {
            return new MissingResource(
                    "of memory" + (isQueueMemory && required.queueBytes() > 0 ? ", " + queues + " included" : ""),
                    gibi(memory),
                    gibi((long) (memoryBytes * USABLE)),
                    isQueueMemory && required.queueBytes() > 0
                            ? "lower --duration, or name a directory on a disk with --dir"
                            : "lower --max, or use a machine with more");
        }
        if (required.queueBytes() > queueBytes * USABLE) {
            return new MissingResource(
                    "free in " + queues,
                    gibi(required.queueBytes()),
                    gibi((long) (queueBytes * USABLE)),
                    "lower --duration, or name a directory with more room with --dir");
        }
        return null;
    }

    private static MissingResource counted(String what, long needed, long allowed, String remedy) {
        return new MissingResource(
                what,
                String.format(Locale.ROOT, "%,d", needed),
                String.format(Locale.ROOT, "%,d", allowed),
                "raise it with '" + remedy + "'");
    }

    private static String gibi(long bytes) {
        return String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1 << 30));
    }
}
