package dev.baton.lab.doctor;

import dev.baton.measuring.machine.CpuTicks;
import dev.baton.operations.terminal.Units;
import java.util.List;
import java.util.Objects;

/**
 * Time that the hypervisor gave to other guests while programs here were ready to run. Immutable, thread-safe.
 *
 * @param sinceBootShare of the requested time; null when the kernel does not count it
 * @param watchedShare that share of the watched seconds; null without any, or when too little ran
 */
record Steal(Double sinceBootShare, Double watchedShare) implements Diagnosis.Reading {
    /** The least number of ticks of 10 ms for a share; with fewer it would vary by percents with every tick. */
    private static final long ENOUGH_TICKS = 100;

    static Steal sinceBoot(CpuTicks now) {
        return new Steal(now.isAbsent() ? null : share(now.all()), null);
    }

    /** Returns the share between two readings. */
    static Steal between(CpuTicks before, CpuTicks after) {
        boolean isAbsent = before.isAbsent() || after.isAbsent();
        Double watched = isAbsent ? null : share(after.all().since(before.all()));
        return new Steal(sinceBoot(after).sinceBootShare(), watched);
    }

    private static Double share(CpuTicks.Cpu passed) {
        long wanted = passed.total() - passed.idle();
        return wanted < ENOUGH_TICKS ? null : Double.valueOf(Math.max(0, passed.steal()) / (double) wanted);
    }

    @Override
    public List<Finding> findings() {
        if (sinceBootShare == null && watchedShare == null) {
            return List.of(Finding.hidden("steal", "the kernel does not count it"));
        }
        double worst = Math.max(
                Objects.requireNonNullElse(sinceBootShare, 0.0), Objects.requireNonNullElse(watchedShare, 0.0));
        String now = watchedShare == null ? "" : ", " + Units.percent(watchedShare) + " while watched";
        return List.of(Finding.of(
                GradeLetter.below(worst, 0.000_1, 0.001, 0.005, 0.01, 0.1),
                "steal",
                "of the CPU time that programs wanted: "
                        + (sinceBootShare == null
                                ? "not counted since boot"
                                : Units.percent(sinceBootShare) + " since boot")
                        + now,
                "a stolen millisecond is in the latency of every message that waited for it",
                "ask your provider for cores that are not shared (dedicated, not burstable)"));
    }
}
