package dev.baton.jmh;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** CPU time and allocations, from the counters of the JVM. Stateless, thread-safe. */
public final class Cpu {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Cpu() {}

    /** Nanoseconds of all threads of this process, of the JVM's own as well. */
    public static long ofProcess() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    /** Nanoseconds of the calling thread. */
    public static long ofThisThread() {
        return THREADS.getCurrentThreadCpuTime();
    }

    /** Bytes that the calling thread has allocated. */
    public static long allocatedByThisThread() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }
}
