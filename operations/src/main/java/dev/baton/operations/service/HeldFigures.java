package dev.baton.operations.service;

import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.GcInfo;
import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Objects;

/**
 * Memory, descriptors and threads of a process. -1 where a figure is unknown. Immutable, thread-safe.
 *
 * @param heapBytes used after the last collection of any kind; -1 before the first
 * @param anonymousBytes of resident memory: heap, stacks and the like
 * @param directBytes outside the heap in the JDK's direct and mapped buffers
 * @param descriptors that are open
 * @param threads of the JVM that are alive
 */
public record HeldFigures(long heapBytes, long anonymousBytes, long directBytes, long descriptors, long threads) {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String ANONYMOUS = "RssAnon:";

    /** Returns the figures of this process, without a garbage collection. */
    static HeldFigures now() {
        return new HeldFigures(
                heap(),
                anonymous(),
                ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                        .mapToLong(pool -> Math.max(0, pool.getMemoryUsed()))
                        .sum(),
                ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                        ? unix.getOpenFileDescriptorCount()
                        : -1,
                ManagementFactory.getThreadMXBean().getThreadCount());
    }

    private static long heap() {
        return ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class).stream()
                .map(GarbageCollectorMXBean::getLastGcInfo)
                .filter(Objects::nonNull)
                .max(Comparator.comparingLong(GcInfo::getEndTime))
                .map(HeldFigures::heapBehind)
                .orElse(-1L);
    }

    private static long heapBehind(GcInfo collection) {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getName)
                .map(collection.getMemoryUsageAfterGc()::get)
                .filter(Objects::nonNull)
                .mapToLong(usage -> usage.getUsed())
                .sum();
    }

    private static long anonymous() {
        try {
            return Files.readAllLines(STATUS, StandardCharsets.ISO_8859_1).stream()
                    .filter(line -> line.startsWith(ANONYMOUS))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1_024)
                    .findFirst()
                    .orElse(-1);
        } catch (IOException | NumberFormatException unknown) {
            return -1;
        }
    }
}
