package dev.baton.measuring.machine;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** Figures of this JVM. Thread-safe. */
final class Jvm {
    private Jvm() {}

    /** CPU time of this process so far; null where the JVM does not report it. */
    static Long cpuNanos() {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
            long nanos = system.getProcessCpuTime();
            return nanos < 0 ? null : nanos;
        }
        return null;
    }

    /** Memory of the machine, or of the container when that is less; null where the JVM does not report it. */
    @SuppressWarnings("deprecation") // its other name exists from JDK 14 on
    static Long memoryBytes() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getTotalPhysicalMemorySize()
                : null;
    }

    /** CPU time of these threads so far; null where the JVM does not report it. */
    static Long cpuNanos(Collection<Thread> threads) {
        java.lang.management.ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        if (!bean.isThreadCpuTimeSupported() || !bean.isThreadCpuTimeEnabled()) {
            return null;
        }
        return threads.stream()
                .mapToLong(thread -> Math.max(0, bean.getThreadCpuTime(id(thread))))
                .sum();
    }

    /**
     * Bytes allocated so far by all threads of the program, without the JVM's own and without {@code observers}; null where the JVM does
     * not report it. The bytes of a thread that ends between two readings are missing.
     */
    static Long allocatedBytes(Collection<Thread> observers) {
        if (!(ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean bean)
                || !bean.isThreadAllocatedMemorySupported()
                || !bean.isThreadAllocatedMemoryEnabled()) {
            return null;
        }
        long[] ids = ofTheProgram(observers).stream().mapToLong(Jvm::id).toArray();
        return Arrays.stream(bean.getThreadAllocatedBytes(ids))
                .filter(bytes -> bytes > 0)
                .sum();
    }

    /** Returns the live threads of the program, without the JVM's own and without {@code observers}. */
    static List<Thread> ofTheProgram(Collection<Thread> observers) {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null) {
            root = root.getParent();
        }
        Thread[] threads = new Thread[root.activeCount() + 64];
        int count = root.enumerate(threads, true);
        ThreadGroup ofTheJvm = root;
        return Arrays.stream(threads, 0, count)
                .filter(thread -> isOfTheProgram(thread, ofTheJvm) && !observers.contains(thread))
                .toList();
    }

    private static boolean isOfTheProgram(Thread thread, ThreadGroup ofTheJvm) {
        ThreadGroup group = thread.getThreadGroup();
        return group != null && group != ofTheJvm && !group.getName().equals("InnocuousThreadGroup");
    }

    @SuppressWarnings("deprecation") // threadId() exists from JDK 19 on
    private static long id(Thread thread) {
        return thread.getId();
    }
}
