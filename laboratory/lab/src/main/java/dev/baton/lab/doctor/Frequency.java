package dev.baton.lab.doctor;

import dev.baton.measuring.machine.ProcFile;
import java.util.List;

/**
 * Who decides how fast the cores run. Immutable, thread-safe.
 *
 * @param governors of the cores, each once; empty when not to be seen
 * @param turboSwitch the kernel's file that turns it off; null when there is none
 * @param turboOff what to write there
 * @param isTurbo null when not to be seen
 */
record Frequency(List<String> governors, String turboSwitch, String turboOff, Boolean isTurbo) implements Reading {
    private static final String CPUS = "sys/devices/system/cpu";
    private static final String INTEL = CPUS + "/intel_pstate/no_turbo";
    private static final String OTHERS = CPUS + "/cpufreq/boost";
    private static final String STEADY = "performance";

    Frequency {
        governors = List.copyOf(governors);
    }

    static Frequency read(KernelTree tree) {
        List<String> governors = tree.entries(CPUS, "cpu[0-9]*").stream()
                .flatMap(cpu -> ProcFile.firstLine(cpu.resolve("cpufreq/scaling_governor")).stream())
                .distinct()
                .sorted()
                .toList();
        Long without = tree.number(INTEL);
        Long with = tree.number(OTHERS);
        if (without != null) {
            return new Frequency(governors, "/" + INTEL, "1", without == 0);
        }
        return new Frequency(
                governors, with == null ? null : "/" + OTHERS, "0", with == null ? null : Boolean.valueOf(with != 0));
    }

    @Override
    public List<Finding> findings() {
        return List.of(governor(), turbo());
    }

    private Finding governor() {
        String subject = "frequency";
        if (governors.isEmpty()) {
            return Finding.hidden(subject, "no governor is visible; the host or the firmware decides");
        }
        String found = "governor " + String.join(", ", governors);
        return Finding.of(
                governors.equals(List.of(STEADY)) ? GradeLetter.A : GradeLetter.C,
                subject,
                found,
                "a core that rested between two messages starts slowly",
                "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor");
    }

    private Finding turbo() {
        if (isTurbo == null) {
            return Finding.hidden("turbo", "no switch is visible");
        }
        return Finding.of(
                isTurbo ? GradeLetter.B : GradeLetter.A,
                "turbo",
                isTurbo ? "on" : "off",
                "the clock rate follows heat and neighbours, so that repetitions differ",
                "echo " + turboOff + " | sudo tee " + turboSwitch);
    }
}
