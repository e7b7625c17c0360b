package dev.baton.measuring.machine;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How much the system lets a program have. Children inherit these limits. {@link Long#MAX_VALUE}: no limit, or not told.
 *
 * @param memoryBytes available without swapping, to this container
 * @param descriptors open in one process
 * @param maps of memory in one process
 * @param threads that may still be started
 * @param threadsRemedy the command that raises what bounds them
 */
public record SystemLimits(long memoryBytes, long descriptors, long maps, long threads, String threadsRemedy) {
    private static final long KILO = 1024;

    /** Those of this process, now. */
    public static SystemLimits now() {
        return read(Path.of("/proc"), totalMemoryBytes());
    }

    /** All memory of this machine, or of the container. */
    public static long totalMemoryBytes() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : Long.MAX_VALUE;
    }

    /**
     * As files of the kernel tell them.
     *
     * @param proc where those are
     * @param totalBytes of memory, of the container when it has less than the machine
     */
    static SystemLimits read(Path proc, long totalBytes) {
        long available = ProcFile.value(ProcFile.lines(proc.resolve("meminfo")), "MemAvailable")
                .flatMap(ProcFile::number)
                .map(kilos -> kilos * KILO)
                .orElse(totalBytes);
        List<String> own = ProcFile.lines(proc.resolve("self/limits"));
        long user = own(own, "Max processes");
        long kernel = number(proc.resolve("sys/kernel/threads-max"));
        long pids = number(proc.resolve("sys/kernel/pid_max"));
        long running = ProcFile.firstLine(proc.resolve("loadavg"))
                .flatMap(SystemLimits::threadsRunning)
                .orElse(0L);
        long threads = Math.min(user, Math.min(kernel, pids));
        String remedy = threads == pids
                ? "sudo sysctl -w kernel.pid_max=4194304"
                : threads == kernel ? "sudo sysctl -w kernel.threads-max=4194304" : "ulimit -u unlimited";
        return new SystemLimits(
                Math.min(available, totalBytes),
                own(own, "Max open files"),
                number(proc.resolve("sys/vm/max_map_count")),
                threads == Long.MAX_VALUE ? threads : Math.max(0, threads - running),
                remedy);
    }

    private static long own(List<String> limits, String name) {
        return ProcFile.value(limits, name).flatMap(ProcFile::number).orElse(Long.MAX_VALUE); // "unlimited" is none
    }

    private static long number(Path file) {
        return ProcFile.firstLine(file).flatMap(ProcFile::number).orElse(Long.MAX_VALUE);
    }

    /** The fourth field is running/existing. */
    private static Optional<Long> threadsRunning(String loadAverage) {
        String[] fields = loadAverage.split("\\s+");
        return fields.length < 4 ? Optional.empty() : ProcFile.number(fields[3].replaceFirst(".*/", ""));
    }
}
