package dev.baton.measuring.data;

import java.util.List;

/**
 * The machine below a trial, as its kernel shows it to this process. Null where it is not shown.
 *
 * @param topology of the processor
 * @param clocking of the processor
 * @param kernelCommandLine as the machine was booted, without secrets
 * @param group limits of the control groups that this process is in, the tightest of each kind
 * @param pages of memory larger than usual
 * @param swap space
 * @param timerSlackNanos by which the kernel may delay a sleeping thread's wake-up
 * @param queueMount that holds the queue directory; null also without such a directory
 */
public record Host(
        Topology topology,
        Clocking clocking,
        String kernelCommandLine,
        Group group,
        Pages pages,
        Swap swap,
        Long timerSlackNanos,
        Mount queueMount) {

    /**
     * The division of the processor.
     *
     * @param threadsPerCore of the core with the most
     * @param online CPUs in the kernel's notation, such as {@code 0-3,6}; null when it is not shown
     * @param isolated from other processes, in the same notation; empty for none; null when it is not shown
     * @param caches that the first CPU can use, from the nearest to the farthest
     */
    public record Topology(
            int sockets, int cores, int threadsPerCore, String online, String isolated, List<Cache> caches) {
        public Topology {
            caches = caches == null ? List.of() : List.copyOf(caches);
        }
    }

    /**
     * A cache of the processor.
     *
     * @param level 1 is the nearest
     * @param kind of its content: data, instruction or unified
     * @param sharedBy CPUs that share it, in the kernel's notation
     */
    public record Cache(int level, String kind, long bytes, String sharedBy) {}

    /**
     * The control of the processor's frequency.
     *
     * @param governor the one of all CPUs, or several joined by commas; null when it is not shown, as in most virtual machines
     * @param driver of the kernel; null when it is not shown
     * @param isTurbo whether the processor may exceed its nominal frequency; null when it is not shown
     */
    public record Clocking(String governor, String driver, Boolean isTurbo) {}

    /**
     * The limits of a control group.
     *
     * @param cpuCores CPU time over wall time; null for no limit
     * @param throttled number of times that a group was stopped because it had used up its CPU time; null when that is not shown
     * @param memoryBytes null for no limit
     */
    public record Group(Double cpuCores, Long throttled, Long memoryBytes) {}

    /**
     * Huge pages.
     *
     * @param transparent when the kernel uses them without a request: always, madvise or never; null when it is not shown
     * @param explicit pages that were set aside
     * @param explicitFree of these, not in use
     * @param explicitBytes size of each
     */
    public record Pages(String transparent, long explicit, long explicitFree, long explicitBytes) {}

    /**
     * Swap space.
     *
     * @param bytes of it; 0 for none
     * @param usedBytes of these
     * @param swappiness from 0, as late as possible, to 200; null when it is not shown
     */
    public record Swap(long bytes, long usedBytes, Integer swappiness) {}

    /**
     * A mounted file system.
     *
     * @param point where it is mounted
     * @param source device or name
     * @param options of the mount and of the file system, without secrets
     */
    public record Mount(String point, String type, String source, String options) {}
}
