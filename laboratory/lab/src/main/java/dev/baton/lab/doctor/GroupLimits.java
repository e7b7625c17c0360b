package dev.baton.lab.doctor;

import dev.baton.measuring.data.Host;
import java.util.List;

/**
 * What the control group of this process, and those above it, may use. Immutable, thread-safe.
 *
 * @param limits the tightest; null when the kernel lists no control groups
 */
record GroupLimits(Host.Group limits) implements Reading {
    private static final long LITTLE_BYTES = 2L << 30;

    @Override
    public List<Finding> findings() {
        return limits == null
                ? List.of(Finding.hidden("control group", "the kernel lists none"))
                : List.of(cpu(), memory());
    }

    private Finding cpu() {
        if (limits.cpuCores() == null) {
            return Finding.fine("CPU limit", "none");
        }
        return Finding.of(
                limits.throttled() != null && limits.throttled() > 0 ? GradeLetter.E : GradeLetter.D,
                "CPU limit",
                Figures.decimal(limits.cpuCores()) + " cores"
                        + (limits.throttled() == null ? "" : ", throttled " + limits.throttled() + " times"),
                "a group that has used up its time stands still until the next period, up to 100 ms",
                "run it without a limit (docker: leave --cpus out; systemd: -p CPUQuota=), or ask who runs the container");
    }

    private Finding memory() {
        if (limits.memoryBytes() == null) {
            return Finding.fine("memory limit", "none");
        }
        return Finding.of(
                limits.memoryBytes() < LITTLE_BYTES ? GradeLetter.C : GradeLetter.A,
                "memory limit",
                Figures.bytes(limits.memoryBytes()),
                "near its limit a group frees its file pages, those of queues included, while messages wait",
                "raise it (docker: --memory=4g; systemd: -p MemoryMax=4G), or ask who runs the container");
    }
}
