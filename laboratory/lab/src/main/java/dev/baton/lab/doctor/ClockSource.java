package dev.baton.lab.doctor;

import java.util.List;

/**
 * The kernel's clock, which every latency is taken with. Immutable, thread-safe.
 *
 * @param current its name; null off Linux
 * @param available that the kernel could use in its place
 * @param nanoTimeNanos what one reading costs
 */
record ClockSource(String current, List<String> available, double nanoTimeNanos) implements Reading {
    private static final String FOLDER = "sys/devices/system/clocksource/clocksource0/";
    private static final String PROCESSOR = "tsc";

    static ClockSource read(KernelTree tree, double nanoTimeNanos) {
        String all = tree.line(FOLDER + "available_clocksource");
        return new ClockSource(
                tree.line(FOLDER + "current_clocksource"),
                all == null ? List.of() : List.of(all.split("\\s+")),
                nanoTimeNanos);
    }

    /** Two readings are in every service time: a clock that costs a system call is most of what is measured. */
    @Override
    public List<Finding> findings() {
        GradeLetter letter = GradeLetter.below(nanoTimeNanos, 60, 150, 400, 1_000, 4_000);
        String found = (current == null ? "" : current + ", ") + Figures.time(nanoTimeNanos) + " for a nanoTime()";
        boolean hasBetter = available.contains(PROCESSOR) && !PROCESSOR.equals(current);
        return List.of(Finding.of(
                letter,
                "clock",
                found,
                "every latency contains readings of it",
                hasBetter
                        ? "echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource"
                        : "ask your provider for a machine whose clock is the processor's (tsc)"));
    }
}
