package dev.baton.lab.doctor;

import dev.baton.measuring.data.Host;
import java.util.List;

/**
 * Who decides how fast the cores run. Immutable, thread-safe.
 *
 * @param clocking as the kernel shows it
 * @param isIntel whether the switch of turbo is that of Intel's driver
 */
record Frequency(Host.Clocking clocking, boolean isIntel) implements Reading {
    private static final String CPUS = "sys/devices/system/cpu";
    private static final String INTEL = CPUS + "/intel_pstate/no_turbo";
    private static final String STEADY = "performance";

    static Frequency of(Host.Clocking clocking, KernelTree tree) {
        return new Frequency(clocking, tree.number(INTEL) != null);
    }

    @Override
    public List<Finding> findings() {
        return List.of(governor(), turbo());
    }

    private Finding governor() {
        String subject = "frequency";
        if (clocking.governor() == null) {
            return Finding.hidden(subject, "no governor is visible; the host or the firmware decides");
        }
        return Finding.of(
                clocking.governor().equals(STEADY) ? GradeLetter.A : GradeLetter.C,
                subject,
                "governor " + clocking.governor().replace(",", ", "),
                "a core that rested between two messages starts slowly",
                "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor");
    }

    private Finding turbo() {
        if (clocking.isTurbo() == null) {
            return Finding.hidden("turbo", "no switch is visible");
        }
        return Finding.of(
                clocking.isTurbo() ? GradeLetter.B : GradeLetter.A,
                "turbo",
                clocking.isTurbo() ? "on" : "off",
                "the clock rate follows heat and neighbours, so that repetitions differ",
                isIntel ? "echo 1 | sudo tee /" + INTEL : "echo 0 | sudo tee /" + CPUS + "/cpufreq/boost");
    }
}
