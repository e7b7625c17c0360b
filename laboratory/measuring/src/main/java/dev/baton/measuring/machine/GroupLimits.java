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
 * Reads what the control groups allow that this process is in, of either version of the kernel's interface. A group's
 * limit holds for all groups within, so that the tightest one from the process' own up to the mount's counts.
 */
record GroupLimits(KernelTree tree) {
    /** Above, version 1 means no limit: the largest multiple of a page. */
    private static final long UNLIMITED_BYTES = 1L << 60;

    /** One line of {@code /proc/self/cgroup} that has a place below a mount. */
    private record Membership(Path mount, Path own) {}

    /** Null when this process is in none that can be seen. */
    Host.Group tightest() {
        List<Membership> cpu = memberships("cpu");
        List<Membership> memory = memberships("memory");
        if (cpu.isEmpty() && memory.isEmpty()) {
            return null;
        }
        return new Host.Group(
                all(cpu, GroupLimits::cpuCores).min(Comparator.naturalOrder()).orElse(null),
                all(cpu, GroupLimits::throttled).max(Comparator.naturalOrder()).orElse(null),
                all(memory, GroupLimits::memoryBytes)
                        .min(Comparator.naturalOrder())
                        .orElse(null));
    }

    private List<Membership> memberships(String controller) {
        List<Membership> all = new ArrayList<>();
        for (String line : tree.lines("proc/self/cgroup")) {
            String[] fields = line.split(":", 3); // 4:memory:/a/b, or 0::/a/b in version 2
            if (fields.length == 3) {
                boolean isSecond = fields[0].equals("0") && fields[1].isEmpty();
                if (isSecond || List.of(fields[1].split(",")).contains(controller)) {
                    Mounts.ofGroups(tree, isSecond ? null : controller)
                            .map(mount -> membership(mount, fields[2]))
                            .filter(Objects::nonNull)
                            .ifPresent(all::add);
                }
            }
        }
        return all;
    }

    /** Within a container the path may be that of the host: then only the mount itself is seen. */
    private static Membership membership(Mounts.Groups mount, String path) {
        String below =
                path.startsWith(mount.root()) ? path.substring(mount.root().length()) : path;
        Path own = mount.point().resolve(below.replaceFirst("^/+", "")).normalize();
        if (!Files.isDirectory(mount.point())) {
            return null;
        }
        boolean isSeen = own.startsWith(mount.point()) && Files.isDirectory(own);
        return new Membership(mount.point(), isSeen ? own : mount.point());
    }

    /** What each group tells, from the process' own up to the mount's. */
    private static <T> Stream<T> all(List<Membership> memberships, Function<KernelTree, T> figure) {
        List<T> all = new ArrayList<>();
        for (Membership each : memberships) {
            for (Path group = each.own(); group != null && group.startsWith(each.mount()); group = group.getParent()) {
                all.add(figure.apply(new KernelTree(group)));
            }
        }
        return all.stream().filter(Objects::nonNull);
    }

    private static Long throttled(KernelTree group) {
        return group.number("cpu.stat", "nr_throttled");
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
