package dev.baton.lab.study.soak;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.baton.lab.results.ResourceUsage;
import dev.baton.measuring.machine.KernelTree;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.agrona.CloseHelper;

/**
 * Counts what this process holds. Garbage is collected first, so that what is counted is held; that stops the chains for
 * some milliseconds. Confined to one thread.
 */
final class ResourceProbe implements AutoCloseable {
    private static final Path MAPS = Path.of("/proc/self/maps");

    private final DiskUse disk; // null: nothing to tell

    /**
     * Creates a probe.
     *
     * @param queues whose disk space is counted; null for none
     */
    ResourceProbe(Path queues) {
        disk = DiskUse.of(queues);
    }

    ResourceUsage now() {
        long before = collections();
        System.gc();
        boolean isCollected = collections() > before;
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        List<String> status = KernelTree.OF_THIS_MACHINE.lines("proc/self/status");
        Long files = KernelTree.bytes(status, "RssFile");
        Long shared = KernelTree.bytes(status, "RssShmem");
        return new ResourceUsage(
                KernelTree.bytes(status, "RssAnon"),
                files == null ? null : Long.valueOf(files + (shared == null ? 0 : shared)),
                isCollected ? heap : null,
                buffers(),
                descriptors(),
                maps(),
                (long) ManagementFactory.getThreadMXBean().getThreadCount(),
                disk == null ? null : disk.bytes(),
                allocated());
    }

    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }

    private static Long buffers() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(pool -> Math.max(0, pool.getMemoryUsed()))
                .sum();
    }

    private static Long descriptors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? Long.valueOf(unix.getOpenFileDescriptorCount())
                : null;
    }

    private static Long maps() {
        try (var lines = Files.lines(MAPS)) {
            return lines.count();
        } catch (IOException | RuntimeException absent) {
            return null;
        }
    }

    @Override
    public void close() {
        CloseHelper.close(disk);
    }

    /** Returns the bytes allocated by the threads that are alive: the bytes of an ended thread are missing. */
    private static Long allocated() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        if (!(threads instanceof com.sun.management.ThreadMXBean counting)
                || !counting.isThreadAllocatedMemorySupported()
                || !counting.isThreadAllocatedMemoryEnabled()) {
            return null;
        }
        long bytes = 0;
        for (long each : counting.getThreadAllocatedBytes(counting.getAllThreadIds())) {
            bytes += Math.max(0, each);
        }
        return bytes;
    }
}
