package dev.baton.lab.study.density;

import dev.baton.measuring.machine.SystemLimits;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where queues may lie, and what a machine has to give when they lie there. Stateless, thread-safe. */
public final class QueuePlace {
    /** Memory that looks like a directory, on Linux. */
    public static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private QueuePlace() {}

    /** What there is with queues in a directory, which need not exist yet. */
    public static AvailableResources supply(SystemLimits limits, Path directory) {
        long free = Long.MAX_VALUE;
        boolean isMemory = false;
        try {
            FileStore store = Files.getFileStore(existingPartOf(directory));
            free = store.getUsableSpace();
            isMemory = store.type().equals("tmpfs") || store.type().equals("ramfs");
        } catch (IOException | RuntimeException unknown) {
            // found out when it is written to
        }
        return new AvailableResources(
                limits.memoryBytes(),
                directory,
                free,
                isMemory,
                limits.descriptors(),
                limits.maps(),
                limits.threads(),
                limits.threadsRemedy());
    }

    /** Whether {@link #SHARED_MEMORY} can be used at all. */
    public static boolean hasSharedMemory() {
        return Files.isDirectory(SHARED_MEMORY) && Files.isWritable(SHARED_MEMORY);
    }

    private static Path existingPartOf(Path wanted) {
        Path existing = wanted.toAbsolutePath().normalize();
        while (existing.getParent() != null && Files.notExists(existing)) {
            existing = existing.getParent();
        }
        return existing;
    }
}
