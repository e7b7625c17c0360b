package dev.baton.measuring.machine;

import dev.baton.measuring.data.Host;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Reads what the kernel shows of the machine.
 *
 * @param proc where its processes and settings are, {@code /proc}
 * @param sys where its devices are, {@code /sys}
 */
record HostProbe(Path proc, Path sys) {
    private static final long KILO = 1024;

    static HostProbe ofThisMachine() {
        return new HostProbe(Path.of("/proc"), Path.of("/sys"));
    }

    /**
     * Looks around; takes a few milliseconds.
     *
     * @param queueDirectory whose mount is asked for; null for none
     * @param shown what may be kept of an option that was typed: hides its secrets
     */
    Host look(Path queueDirectory, UnaryOperator<String> shown) {
        Path cpus = sys.resolve("devices/system/cpu");
        return new Host(
                CpuLayout.of(cpus),
                clocking(cpus),
                ProcFile.firstLine(proc.resolve("cmdline"))
                        .map(line -> shown(line, shown))
                        .orElse(null),
                new GroupLimits(proc).tightest(),
                pages(),
                swap(),
                number(proc.resolve("self/timerslack_ns")).orElse(null),
                queueDirectory == null
                        ? null
                        : Mounts.holding(real(queueDirectory), proc.resolve("self/mountinfo"), shown));
    }

    private static String shown(String commandLine, UnaryOperator<String> shown) {
        return List.of(commandLine.split(" ")).stream().map(shown).collect(Collectors.joining(" "));
    }

    private static Host.Clocking clocking(Path cpus) {
        TreeSet<String> governors = new TreeSet<>();
        for (Path cpu : CpuLayout.each(cpus)) {
            ProcFile.firstLine(cpu.resolve("cpufreq/scaling_governor")).ifPresent(governors::add);
        }
        Optional<Boolean> intel = number(cpus.resolve("intel_pstate/no_turbo")).map(off -> off == 0);
        Optional<Boolean> others = number(cpus.resolve("cpufreq/boost")).map(on -> on != 0);
        return new Host.Clocking(
                governors.isEmpty() ? null : String.join(",", governors),
                ProcFile.firstLine(cpus.resolve("cpu0/cpufreq/scaling_driver")).orElse(null),
                intel.or(() -> others).orElse(null));
    }

    private Host.Pages pages() {
        List<String> memory = ProcFile.lines(proc.resolve("meminfo"));
        if (memory.isEmpty()) {
            return null;
        }
        return new Host.Pages(
                ProcFile.firstLine(sys.resolve("kernel/mm/transparent_hugepage/enabled"))
                        .flatMap(HostProbe::chosen)
                        .orElse(null),
                ofMemory(memory, "HugePages_Total"),
                ofMemory(memory, "HugePages_Free"),
                ofMemory(memory, "Hugepagesize") * KILO);
    }

    /** The word in brackets: {@code always [madvise] never}. */
    private static Optional<String> chosen(String choices) {
        int from = choices.indexOf('[');
        int to = choices.indexOf(']', from + 1);
        return from < 0 || to < 0 ? Optional.empty() : Optional.of(choices.substring(from + 1, to));
    }

    private Host.Swap swap() {
        List<String> memory = ProcFile.lines(proc.resolve("meminfo"));
        if (memory.isEmpty()) {
            return null;
        }
        long total = ofMemory(memory, "SwapTotal");
        return new Host.Swap(
                total * KILO,
                (total - ofMemory(memory, "SwapFree")) * KILO,
                number(proc.resolve("sys/vm/swappiness")).map(Long::intValue).orElse(null));
    }

    private static long ofMemory(List<String> memory, String name) {
        return ProcFile.value(memory, name).flatMap(ProcFile::number).orElse(0L);
    }

    private static Optional<Long> number(Path file) {
        return ProcFile.firstLine(file).flatMap(ProcFile::number);
    }

    private static Path real(Path directory) {
        try {
            return directory.toRealPath();
        } catch (IOException notThere) {
            return directory.toAbsolutePath().normalize();
        }
    }
}
