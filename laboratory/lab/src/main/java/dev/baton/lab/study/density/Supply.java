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
public record Supply(
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
    public Shortage shortage(Demand demand) {
        if (demand.descriptors() > descriptors) {
            return counted("open files", demand.descriptors(), descriptors, "ulimit -n " + demand.descriptors());
        }
        if (demand.maps() > maps) {
            return counted("memory maps", demand.maps(), maps, "sudo sysctl -w vm.max_map_count=" + demand.maps());
        }
        if (demand.threads() > threads) {
            return counted("threads", demand.threads(), threads, threadsRemedy);
        }
        long memory = demand.memoryBytes() + (isQueueMemory ? demand.queueBytes() : 0);
        if (memory > memoryBytes * USABLE) {
            return new Shortage(
                    "of memory" + (isQueueMemory && demand.queueBytes() > 0 ? ", " + queues + " included" : ""),
                    gibi(memory),
                    gibi((long) (memoryBytes * USABLE)),
                    isQueueMemory && demand.queueBytes() > 0
                            ? "lower --duration, or name a directory on a disk with --dir"
                            : "lower --max, or use a machine with more");
        }
        if (demand.queueBytes() > queueBytes * USABLE) {
            return new Shortage(
                    "free in " + queues,
                    gibi(demand.queueBytes()),
                    gibi((long) (queueBytes * USABLE)),
                    "lower --duration, or name a directory with more room with --dir");
        }
        return null;
    }

    private static Shortage counted(String what, long needed, long allowed, String remedy) {
        return new Shortage(
                what,
                String.format(Locale.ROOT, "%,d", needed),
                String.format(Locale.ROOT, "%,d", allowed),
                "raise it with '" + remedy + "'");
    }

    private static String gibi(long bytes) {
        return String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1 << 30));
    }
}
