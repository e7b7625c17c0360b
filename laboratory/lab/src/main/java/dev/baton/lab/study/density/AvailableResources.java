package dev.baton.lab.study.density;

import dev.baton.lab.launch.MadeDirectory;
import dev.baton.measuring.machine.SystemLimits;
import dev.baton.operations.terminal.Units;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The resources that a machine has available. An unknown limit is {@link Long#MAX_VALUE}. Immutable, thread-safe.
 *
 * @param limits of the system
 * @param queues directory of the queues
 * @param queueBytes free there
 * @param isQueueMemory whether that directory is memory itself, as {@code /dev/shm} is
 */
public record AvailableResources(SystemLimits limits, Path queues, long queueBytes, boolean isQueueMemory) {
    /** Memory that looks like a directory, on Linux. */
    public static final Path SHARED_MEMORY = Path.of("/dev/shm");

    /** Left to everything else: a machine that runs out of memory kills, or swaps, what is measured. */
    private static final double USABLE = 0.9;

    /** Returns the resources with queues in a directory, which need not exist yet. */
    static AvailableResources with(SystemLimits limits, Path queues) {
        long free = Long.MAX_VALUE;
        boolean isMemory = false;
        try {
            FileStore store = Files.getFileStore(MadeDirectory.existingPartOf(queues));
            free = store.getUsableSpace();
            isMemory = store.type().equals("tmpfs") || store.type().equals("ramfs");
        } catch (IOException | RuntimeException unknown) {
            // found out when it is written to
        }
        return new AvailableResources(limits, queues, free, isMemory);
    }

    /** {@return whether {@link #SHARED_MEMORY} can be used} */
    public static boolean hasSharedMemory() {
        return Files.isDirectory(SHARED_MEMORY) && Files.isWritable(SHARED_MEMORY);
    }

    /** {@return the first missing resource of this demand; null for none} */
    public MissingResource shortage(ResourceModel.RequiredResources required) {
        if (required.descriptors() > limits.descriptors()) {
            return counted(
                    "open files", required.descriptors(), limits.descriptors(), "ulimit -n " + required.descriptors());
        }
        if (required.maps() > limits.maps()) {
            return counted(
                    "memory maps",
                    required.maps(),
                    limits.maps(),
                    "sudo sysctl -w vm.max_map_count=" + required.maps());
        }
        if (required.threads() > limits.threads()) {
            return counted("threads", required.threads(), limits.threads(), limits.threadsRemedy());
        }
        long memory = required.memoryBytes() + (isQueueMemory ? required.queueBytes() : 0);
        boolean isShared = isQueueMemory && required.queueBytes() > 0;
        if (memory > limits.memoryBytes() * USABLE) {
            return new MissingResource(
                    "of memory" + (isShared ? ", " + queues + " included" : ""),
                    gibi(memory),
                    gibi((long) (limits.memoryBytes() * USABLE)),
                    isShared
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
        return new MissingResource(what, Units.count(needed), Units.count(allowed), "raise it with '" + remedy + "'");
    }

    private static String gibi(long bytes) {
        return String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1 << 30));
    }

    /**
     * A missing resource.
     *
     * @param what the limit, by its usual name
     * @param needed as a text with its unit
     * @param allowed as a text with its unit
     * @param remedy a command that raises it, or another way out
     */
    public record MissingResource(String what, String needed, String allowed, String remedy) {
        public String text(int instances) {
            return Units.counted(instances, "instance") + " need " + needed + " " + what + ", there are " + allowed
                    + ": " + remedy;
        }
    }
}
