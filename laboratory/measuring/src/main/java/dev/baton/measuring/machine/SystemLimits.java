package dev.baton.measuring.machine;

/**
 * The limits of the system for a program. Children inherit these limits. {@link Long#MAX_VALUE}: no limit, or unknown.
 *
 * @param memoryBytes available without swapping, to this container
 * @param descriptors open in one process
 * @param maps of memory in one process
 * @param threads that may still be started
 * @param threadsRemedy the command that raises their limit
 */
public record SystemLimits(long memoryBytes, long descriptors, long maps, long threads, String threadsRemedy) {
    /** {@return the present limits of this process} */
    public static SystemLimits now() {
        return read(KernelTree.OF_THIS_MACHINE, totalMemoryBytes());
    }

    /** All memory of this machine, or of the container; {@link Long#MAX_VALUE} when it is not known. */
    public static long totalMemoryBytes() {
        return orMost(Jvm.memoryBytes());
    }

    /**
     * Reads the limits.
     *
     * @param totalBytes of memory, of the container when it has less than the machine
     */
    static SystemLimits read(KernelTree tree, long totalBytes) {
        long user = orMost(tree.number("proc/self/limits", "Max processes")); // "unlimited" is no number
        long kernel = orMost(tree.number("proc/sys/kernel/threads-max"));
        long pids = orMost(tree.number("proc/sys/kernel/pid_max"));
        long threads = Math.min(user, Math.min(kernel, pids));
        String remedy = threads == pids
                ? "sudo sysctl -w kernel.pid_max=4194304"
                : threads == kernel ? "sudo sysctl -w kernel.threads-max=4194304" : "ulimit -u unlimited";
        return new SystemLimits(
                Math.min(orMost(tree.bytes("proc/meminfo", "MemAvailable")), totalBytes),
                orMost(tree.number("proc/self/limits", "Max open files")),
                orMost(tree.number("proc/sys/vm/max_map_count")),
                threads == Long.MAX_VALUE ? threads : Math.max(0, threads - threadsRunning(tree.line("proc/loadavg"))),
                remedy);
    }

    private static long orMost(Long limit) {
        return limit == null ? Long.MAX_VALUE : limit;
    }

    /** Parses the fourth field, running/existing. */
    private static long threadsRunning(String loadAverage) {
        String[] fields = loadAverage == null ? new String[0] : loadAverage.split("\\s+");
        Long threads = fields.length < 4 ? null : KernelTree.leadingNumber(fields[3].replaceFirst(".*/", ""));
        return threads == null ? 0 : threads;
    }
}
