package dev.baton.measuring.machine;

import dev.baton.measuring.data.Host;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

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
                all(cpu, GroupLimits::cpuCores).min(Comparator.naturalOrder()).orElse(null),
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
            if (isSecond || fields.length == 3 && List.of(fields[1].split(",")).contains(controller)) {
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
