package dev.baton.lab.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the control group of this process, and those above it, may use. Immutable, thread-safe.
 *
 * @param cores CPU time over time; null without a limit
 * @param throttled how often the group was stopped for having used it; null when not told
 * @param memoryBytes null without a limit
 * @param isSeen whether there are control groups at all
 */
record GroupLimits(Double cores, Long throttled, Long memoryBytes, boolean isSeen) implements Reading {
    private static final String MOUNT = "sys/fs/cgroup";
    private static final String UNIFIED = "0::";
    private static final long LITTLE_BYTES = 2L << 30;

    /** The kernel writes a number near the largest where there is no limit. */
    private static final long UNLIMITED = 1L << 60;

    /** The tightest of the group's own limits and of those above it, in either version. */
    static GroupLimits read(KernelTree tree) {
        Double cores = null;
        Long throttled = null;
        Long memory = null;
        List<String> own = tree.lines("proc/self/cgroup");
        for (String folder : folders(own)) {
            cores = least(cores, quota(tree, folder));
            Long stopped = tree.number(folder + "/cpu.stat", "nr_throttled");
            throttled =
                    stopped == null ? throttled : Long.valueOf(Math.max(stopped, throttled == null ? 0 : throttled));
            memory = least(memory, limit(tree.number(folder + "/memory.max")));
            memory = least(memory, limit(tree.number(folder + "/memory.limit_in_bytes")));
        }
        return new GroupLimits(cores, throttled, memory, !own.isEmpty());
    }

    /** Of the process' groups, from each up to the mount. In a container the path may lead nowhere: only the mount does. */
    private static List<String> folders(List<String> own) {
        List<String> folders = new ArrayList<>();
        for (String line : own) {
            String[] parts = line.split(":", 3);
            boolean isUnified = line.startsWith(UNIFIED);
            boolean isAbout = parts.length == 3
                    && (isUnified || List.of(parts[1].split(",")).contains("cpu") || parts[1].contains("memory"));
            if (!isAbout) {
                continue;
            }
            for (String mount : isUnified ? List.of(MOUNT, MOUNT + "/unified") : List.of(MOUNT + "/" + parts[1])) {
                for (Path at = Path.of(parts[2]); at != null; at = at.getParent()) {
                    folders.add(mount + (at.getNameCount() == 0 ? "" : at.toString()));
                }
            }
        }
        return folders;
    }

    private static Double quota(KernelTree tree, String folder) {
        String line = tree.line(folder + "/cpu.max");
        Long quota = tree.number(folder + "/cpu.cfs_quota_us");
        Long period = tree.number(folder + "/cpu.cfs_period_us");
        if (line != null && line.matches("\\d+ \\d+")) {
            String[] words = line.split(" ");
            return Double.parseDouble(words[0]) / Double.parseDouble(words[1]);
        }
        return quota == null || period == null || quota <= 0 || period <= 0 ? null : quota / (double) period;
    }

    private static Long limit(Long bytes) {
        return bytes == null || bytes >= UNLIMITED ? null : bytes;
    }

    private static <T extends Comparable<T>> T least(T one, T other) {
        return one == null || (other != null && other.compareTo(one) < 0) ? other : one;
    }

    @Override
    public List<Finding> findings() {
        if (!isSeen) {
            return List.of(Finding.hidden("control group", "the kernel lists none"));
        }
        return List.of(cpu(), memory());
    }

    private Finding cpu() {
        if (cores == null) {
            return Finding.fine("CPU limit", "none");
        }
        return Finding.of(
                throttled != null && throttled > 0 ? GradeLetter.E : GradeLetter.D,
                "CPU limit",
                Figures.decimal(cores) + " cores" + (throttled == null ? "" : ", throttled " + throttled + " times"),
                "a group that has used up its time stands still until the next period, up to 100 ms",
                "run it without a limit (docker: leave --cpus out; systemd: -p CPUQuota=), or ask who runs the container");
    }

    private Finding memory() {
        if (memoryBytes == null) {
            return Finding.fine("memory limit", "none");
        }
        return Finding.of(
                memoryBytes < LITTLE_BYTES ? GradeLetter.C : GradeLetter.A,
                "memory limit",
                Figures.bytes(memoryBytes),
                "near its limit a group frees its file pages, those of queues included, while messages wait",
                "raise it (docker: --memory=4g; systemd: -p MemoryMax=4G), or ask who runs the container");
    }
}
