package dev.baton.lab.doctor;

import dev.baton.lab.results.Grade;
import dev.baton.measuring.data.TrialEnvironment;
import dev.baton.measuring.machine.CpuTicks;
import dev.baton.measuring.machine.KernelTree;
import dev.baton.measuring.machine.SystemLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Examines the machine that this runs on. Stateless, thread-safe. */
public final class Doctor {
    /** Bytes that an examination writes at most. */
    public static final long MOST_BYTES = Appends.MOST_BYTES;

    private static final long MILLI = 1_000_000;

    private Doctor() {}

    /**
     * Determines the grade without a measurement: settings, limits, steal since boot. A machine with a good one may still stall, which only
     * a measurement shows.
     */
    public static Grade grade(TrialEnvironment environment) {
        KernelTree tree = KernelTree.OF_THIS_MACHINE;
        return Diagnosis.of(List.of(
                        Settings.read(tree, environment, SystemLimits.now()),
                        Steal.sinceBoot(CpuTicks.parse(tree.lines("proc/stat")))))
                .grade();
    }

    /** Examines a media driver of Aeron that runs as a program of its own. Blocks for a second at most. */
    public static Diagnosis ofMediaDriver(Path directory) {
        return Diagnosis.of(
                List.of(MediaDriver.read(directory, Runtime.getRuntime().availableProcessors())));
    }

    /**
     * The whole examination. Blocks for some seconds.
     *
     * @param asked the directory of queues, for the text
     * @param scratch an empty directory in it, to be written to and removed by the caller
     * @param isQuick in about a second
     * @param isInterrupted ends every measurement early
     */
    public static Diagnosis examine(
            TrialEnvironment environment, Path asked, Path scratch, boolean isQuick, BooleanSupplier isInterrupted)
            throws IOException {
        KernelTree tree = KernelTree.OF_THIS_MACHINE;
        // how long each measurement takes at most
        long watchNanos = (isQuick ? 400 : 3_000) * MILLI; // of stalls, steal and competitors
        long wakeNanos = (isQuick ? 250 : 1_000) * MILLI; // of pauses and wake-ups
        long appendNanos = (isQuick ? 100 : 500) * MILLI; // of each of two kinds of appends
        Watch watch = Watch.over(tree, environment.processors(), watchNanos, isInterrupted);
        return Diagnosis.of(List.of(
                Settings.read(tree, environment, SystemLimits.now()),
                watch.steal(),
                watch.stalls(),
                watch.competitors(),
                Wakes.measure(tree, wakeNanos, isInterrupted),
                Appends.measure(scratch, asked, appendNanos, isInterrupted),
                Ports.look(tree),
                Room.look()));
    }
}
