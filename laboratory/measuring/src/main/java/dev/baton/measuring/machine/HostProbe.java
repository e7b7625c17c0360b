package dev.baton.measuring.machine;

import dev.baton.measuring.data.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the properties of the machine from the kernel. */
record HostProbe(KernelTree tree) {
    private static final String CPUS = "sys/devices/system/cpu/";
    private static final String CACHES = CPUS + "cpu0/cache/";
    private static final String MEMORY = "proc/meminfo";
    private static final long KILO = 1024;

    /**
     * Reads the machine; takes a few milliseconds.
     *
     * @param queueDirectory whose mount is determined; null for none
     * @param shown removes secrets from an option
     */
    Host look(Path queueDirectory, UnaryOperator<String> shown) {
        String commandLine = tree.line("proc/cmdline");
        return new Host(
                topology(),
                clocking(),
                commandLine == null
                        ? null
                        : Stream.of(commandLine.split(" ")).map(shown).collect(Collectors.joining(" ")),
                new GroupLimits(tree).tightest(),
                tree.lines(MEMORY).isEmpty() ? null : pages(),
                tree.lines(MEMORY).isEmpty() ? null : swap(),
                tree.number("proc/self/timerslack_ns"),
                queueDirectory == null ? null : Mounts.holding(real(queueDirectory), tree, shown));
    }

    private List<String> cpus() {
        return tree.entries(CPUS, "cpu[0-9]*");
    }

    /** Returns the division of the processors into sockets, cores and threads; null when the kernel shows no topology. */
    private Host.Topology topology() {
        Set<String> sockets = new HashSet<>();
        Map<String, Integer> threadsByCore = new HashMap<>();
        for (String cpu : cpus()) {
            String socket = tree.line(CPUS + cpu + "/topology/physical_package_id");
            String core = tree.line(CPUS + cpu + "/topology/core_id");
            if (socket != null && core != null) { // offline CPUs show none
                sockets.add(socket);
                threadsByCore.merge(socket + "/" + core, 1, Integer::sum);
            }
        }
        if (sockets.isEmpty()) {
            return null;
        }
        List<String> isolated = tree.lines(CPUS + "isolated");
        return new Host.Topology(
                sockets.size(),
                threadsByCore.size(),
                Collections.max(threadsByCore.values()),
                tree.line(CPUS + "online"),
                isolated.isEmpty() ? null : isolated.get(0), // an empty line: the kernel isolates none
                caches());
    }

    private List<Host.Cache> caches() {
        List<Host.Cache> caches = new ArrayList<>();
        for (String index : tree.entries(CACHES, "index[0-9]*")) {
            KernelTree cache = tree.in(CACHES + index);
            Long level = cache.number("level");
            Long bytes = bytes(cache.line("size"));
            if (level != null && bytes != null) {
                caches.add(new Host.Cache(
                        level.intValue(),
                        Objects.requireNonNullElse(cache.line("type"), "unknown")
                                .toLowerCase(Locale.ROOT),
                        bytes,
                        Objects.requireNonNullElse(cache.line("shared_cpu_list"), "unknown")));
            }
        }
        caches.sort(Comparator.comparingInt(Host.Cache::level).thenComparing(Host.Cache::kind));
        return caches;
    }

    /** Parses {@code 48K}; some kernels write {@code 32M}. */
    private static Long bytes(String size) {
        Long number = KernelTree.leadingNumber(size);
        return number == null
                ? null
                : Long.valueOf(number * (size.endsWith("K") ? KILO : size.endsWith("M") ? KILO * KILO : 1));
    }

    private Host.Clocking clocking() {
        String governors = cpus().stream()
                .map(cpu -> tree.line(CPUS + cpu + "/cpufreq/scaling_governor"))
                .filter(Objects::nonNull)
                .sorted()
                .distinct()
                .collect(Collectors.joining(","));
        Long isOff = tree.number(CPUS + "intel_pstate/no_turbo");
        Long isOn = tree.number(CPUS + "cpufreq/boost"); // of other drivers than Intel's
        return new Host.Clocking(
                governors.isEmpty() ? null : governors,
                tree.line(CPUS + "cpu0/cpufreq/scaling_driver"),
                isOff != null ? Boolean.valueOf(isOff == 0) : isOn != null ? Boolean.valueOf(isOn != 0) : null);
    }

    private Host.Pages pages() {
        return new Host.Pages(
                tree.chosen("sys/kernel/mm/transparent_hugepage/enabled"),
                orNone(tree.number(MEMORY, "HugePages_Total")),
                orNone(tree.number(MEMORY, "HugePages_Free")),
                orNone(tree.bytes(MEMORY, "Hugepagesize")));
    }

    private Host.Swap swap() {
        long total = orNone(tree.bytes(MEMORY, "SwapTotal"));
        Long swappiness = tree.number("proc/sys/vm/swappiness");
        return new Host.Swap(
                total,
                total - orNone(tree.bytes(MEMORY, "SwapFree")),
                swappiness == null ? null : Integer.valueOf(swappiness.intValue()));
    }

    private static long orNone(Long number) {
        return number == null ? 0 : number;
    }

    private static Path real(Path directory) {
        try {
            return directory.toRealPath();
        } catch (IOException notThere) {
            return directory.toAbsolutePath().normalize();
        }
    }

    /**
     * Reads the limits of the control groups of this process, in either version of the kernel's interface. A group's limit is valid for all
     * groups within it, so the tightest one from the process's own group up to the mount's counts.
     */
    record GroupLimits(KernelTree tree) {
        /** Greater values mean no limit in version 1: the largest multiple of a page. */
        private static final long UNLIMITED_BYTES = 1L << 60;

        /** The tightest limits; null when this process is in no visible group. */
        Host.Group tightest() {
            List<KernelTree> cpu = groups("cpu");
            List<KernelTree> memory = groups("memory");
            if (cpu.isEmpty() && memory.isEmpty()) {
                return null;
            }
            return new Host.Group(
                    all(cpu, GroupLimits::cpuCores)
                            .min(Comparator.naturalOrder())
                            .orElse(null),
                    all(cpu, group -> group.number("cpu.stat", "nr_throttled"))
                            .max(Comparator.naturalOrder())
                            .orElse(null),
                    all(memory, GroupLimits::memoryBytes)
                            .min(Comparator.naturalOrder())
                            .orElse(null));
        }

        private static <T> Stream<T> all(List<KernelTree> groups, Function<KernelTree, T> figure) {
            return groups.stream().map(figure).filter(Objects::nonNull);
        }

        /** Returns the groups of a controller: the process's own, and those above it up to the mount's. */
        private List<KernelTree> groups(String controller) {
            List<KernelTree> all = new ArrayList<>();
            for (String line : tree.lines("proc/self/cgroup")) {
                String[] fields = line.split(":", 3); // 4:memory:/a/b, or 0::/a/b in version 2
                boolean isSecond = line.startsWith("0::");
                if (isSecond
                        || fields.length == 3 && List.of(fields[1].split(",")).contains(controller)) {
                    Mounts.ofGroups(tree, isSecond ? null : controller)
                            .filter(mount -> Files.isDirectory(mount.point()))
                            .ifPresent(mount -> addGroups(mount, fields[2], all));
                }
            }
            return all;
        }

        /** Within a container the path may be that of the host: then only the mount itself is seen. */
        private static void addGroups(Mounts.Groups mount, String path, List<KernelTree> all) {
            String below =
                    path.startsWith(mount.root()) ? path.substring(mount.root().length()) : path;
            Path own = mount.point().resolve(below.replaceFirst("^/+", "")).normalize();
            Path group = own.startsWith(mount.point()) && Files.isDirectory(own) ? own : mount.point();
            for (; group != null && group.startsWith(mount.point()); group = group.getParent()) {
                all.add(new KernelTree(group));
            }
        }

        private static Double cpuCores(KernelTree group) {
            String second = group.line("cpu.max"); // 150000 100000, or max 100000
            if (second == null) {
                return ratio(group.number("cpu.cfs_quota_us"), group.number("cpu.cfs_period_us"));
            }
            String[] fields = second.split(" ");
            return fields.length == 2
                    ? ratio(KernelTree.leadingNumber(fields[0]), KernelTree.leadingNumber(fields[1]))
                    : null;
        }

        private static Double ratio(Long quota, Long period) {
            return quota != null && quota > 0 && period != null && period > 0 ? (double) quota / period : null;
        }

        private static Long memoryBytes(KernelTree group) {
            Long second = group.number("memory.max");
            Long bytes = second == null ? group.number("memory.limit_in_bytes") : second;
            return bytes == null || bytes >= UNLIMITED_BYTES ? null : bytes;
        }
    }
}
