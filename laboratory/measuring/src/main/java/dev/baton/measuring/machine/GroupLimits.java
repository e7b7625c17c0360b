package dev.baton.measuring.machine;

import dev.baton.measuring.data.Host;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Reads what the control groups allow that this process is in, of either version of the kernel's interface. A group's
 * limit holds for all groups within, so that the tightest one from the process' own up to the mount's counts.
 *
 * @param proc {@code /proc}; the groups' own directories are found through it
 */
record GroupLimits(Path proc) {
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
        for (String line : ProcFile.lines(proc.resolve("self/cgroup"))) {
            String[] fields = line.split(":", 3); // 4:memory:/a/b, or 0::/a/b in version 2
            if (fields.length == 3) {
                boolean isSecond = fields[0].equals("0") && fields[1].isEmpty();
                if (isSecond || List.of(fields[1].split(",")).contains(controller)) {
                    Mounts.ofGroups(proc.resolve("self/mountinfo"), isSecond ? null : controller)
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
    private static <T> Stream<T> all(List<Membership> memberships, Function<Path, Optional<T>> figure) {
        List<T> all = new ArrayList<>();
        for (Membership each : memberships) {
            for (Path group = each.own(); group != null && group.startsWith(each.mount()); group = group.getParent()) {
                figure.apply(group).ifPresent(all::add);
            }
        }
        return all.stream();
    }

    private static Optional<Long> throttled(Path group) {
        return ProcFile.value(ProcFile.lines(group.resolve("cpu.stat")), "nr_throttled")
                .flatMap(ProcFile::number);
    }

    private static Optional<Double> cpuCores(Path group) {
        Optional<String> second = ProcFile.firstLine(group.resolve("cpu.max")); // 150000 100000, or max 100000
        if (second.isPresent()) {
            String[] fields = second.get().split(" ");
            return fields.length == 2
                    ? ratio(ProcFile.number(fields[0]), ProcFile.number(fields[1]))
                    : Optional.empty();
        }
        return ratio(number(group.resolve("cpu.cfs_quota_us")), number(group.resolve("cpu.cfs_period_us")));
    }

    private static Optional<Double> ratio(Optional<Long> quota, Optional<Long> period) {
        return quota.isPresent() && quota.get() > 0 && period.isPresent() && period.get() > 0
                ? Optional.of((double) quota.get() / period.get())
                : Optional.empty();
    }

    private static Optional<Long> memoryBytes(Path group) {
        return number(group.resolve("memory.max"))
                .or(() -> number(group.resolve("memory.limit_in_bytes")))
                .filter(bytes -> bytes < UNLIMITED_BYTES);
    }

    private static Optional<Long> number(Path file) {
        return ProcFile.firstLine(file).flatMap(ProcFile::number);
    }
}
