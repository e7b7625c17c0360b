package dev.baton.measuring.machine;

import dev.baton.measuring.data.Environment;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Finds out what a trial runs on. */
public final class EnvironmentProbe {
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
    private static final Path CLOCK_SOURCE =
            Path.of("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    private static final int CLOCK_CALLS = 20_000;

    private EnvironmentProbe() {}

    /**
     * Looks around; takes some milliseconds.
     *
     * @param queueDirectory whose file system is asked for; null for none
     * @param shown what may be kept of a flag, an option or a value that was typed: hides its secrets
     */
    public static Environment look(Path queueDirectory, UnaryOperator<String> shown) {
        List<String> cpu = ProcFile.lines(CPU_INFO);
        return new Environment(
                jvm(shown),
                ProcFile.value(cpu, "model name")
                        .or(() -> ProcFile.value(cpu, "Model"))
                        .orElse(null),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                Virtualisation.hints(cpu),
                ProcFile.firstLine(CLOCK_SOURCE).orElse(null),
                nanoTimeCost(),
                memoryBytes(),
                fileSystem(queueDirectory),
                Libraries.versions(),
                HostProbe.ofThisMachine().look(queueDirectory, shown));
    }

    private static Environment.Jvm jvm(UnaryOperator<String> shown) {
        RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        Set<String> collectors = new LinkedHashSet<>();
        ManagementFactory.getGarbageCollectorMXBeans().forEach(bean -> collectors.add(bean.getName()));
        return new Environment.Jvm(
                runtime.getVmVendor() + ", " + runtime.getVmName(),
                Runtime.version().toString(),
                runtime.getInputArguments().stream().map(shown).toList(),
                List.copyOf(collectors),
                Runtime.getRuntime().maxMemory(),
                ChangedFlags.now(runtime.getInputArguments(), shown));
    }

    /** The cost of one clock reading: the best of several rounds, as every disturbance only adds. */
    private static double nanoTimeCost() {
        long best = Long.MAX_VALUE;
        for (int round = 0; round < 10; round++) {
            long start = System.nanoTime();
            long now = start;
            for (int i = 1; i < CLOCK_CALLS; i++) {
                now = System.nanoTime();
            }
            best = Math.min(best, now - start);
        }
        return Math.round(best * 10.0 / CLOCK_CALLS) / 10.0;
    }

    private static long memoryBytes() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : 0;
    }

    private static String fileSystem(Path directory) {
        if (directory == null) {
            return null;
        }
        try {
            return Files.getFileStore(directory).type();
        } catch (IOException | RuntimeException unknown) {
            return null;
        }
    }
}
