package dev.baton.lab.study.window;

import dev.baton.lab.command.JvmOptions;
import dev.baton.lab.launch.jvm.JvmChoice;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.measuring.machine.SystemLimits;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.terminal.Units;

/** The heap of a window, all parts together, and the heap that its trial gets, or would need and cannot have. Stateless, thread-safe. */
final class WindowHeap {
    static final int MOST_STEPS = 10_000_000; // the most steps that a trial remembers

    private static final int MEGA_SHIFT = 20;
    private static final long MEGA = 1L << MEGA_SHIFT;
    private static final long BASE_BYTES = 64 * MEGA; // of a trial without any state: classes, histograms, instruments

    /** A collector that has less than this over what lives does nothing else. */
    private static final double LEAST_ROOM = 1.15;

    /** The factor for boxed counts: as much again for garbage, and a fifth. */
    private static final double ROOM = 2.2;

    private static final long LEAST_DEFAULT_BYTES = 256 * MEGA;
    private static final double USABLE = 0.8; // of the machine's memory

    private WindowHeap() {}

    /**
     * The size as after {@code -Xmx}.
     *
     * @throws CommandException when the state does not fit the heap of the command line, or the machine
     */
    static String of(JvmChoice choice, WindowStudy study, Load load, Phases phases, int parts) {
        long living = stateBytes(study, load, parts) + recordBytes(study, phases, parts);
        long least = (long) (living * LEAST_ROOM) + BASE_BYTES;
        long enough = Math.max(
                LEAST_DEFAULT_BYTES,
                (long) (living * (study.state() == WindowStudy.State.BOXED ? ROOM : LEAST_ROOM)) + 2 * BASE_BYTES);
        String what = Checks.typed(study.state()) + " state of " + Units.count(study.keys()) + " keys over "
                + Units.count(study.windowNanos() / study.stepNanos()) + " steps";
        if (choice.heap() != null) {
            if (JvmOptions.bytes(choice.heap()) < least) {
                throw CommandException.usage("--heap " + choice.heap() + " does not hold the " + what + ", which takes "
                        + Units.bytes(living) + "; " + megabytes(least) + " is the least, " + megabytes(enough)
                        + " leaves room to collect; or choose fewer --keys, a shorter --window, a lower --rate");
            }
            return choice.heap();
        }
        long usable = (long) (SystemLimits.totalMemoryBytes() * USABLE);
        if (enough > usable) {
            throw CommandException.environment("the " + what + " takes " + Units.bytes(living) + " and a heap of "
                    + megabytes(enough) + "; this machine can give " + megabytes(usable)
                    + ": choose fewer --keys, a shorter --window, a lower --rate, or --state primitive");
        }
        return megabytes(enough);
    }

    private static String megabytes(long bytes) {
        return (bytes + MEGA - 1 >> MEGA_SHIFT) + "m";
    }

    /**
     * Bytes that its totals take at any time, calculated from what the objects take on HotSpot with compressed pointers.
     *
     * @param load of each part
     */
    static long stateBytes(WindowStudy study, Load load, int parts) {
        double keys = study.keys() / (double) parts;
        double perStep = load.ratePerSecond() * study.stepNanos() / 1e9;
        double frames = study.windowNanos() / study.stepNanos();
        double ofPart = switch (study.state()) {
            case BOXED ->
                BoxedState.bytes(
                        study.aggregate(), keys, frames, study.keyOrder().distinct(keys, perStep));
            case PRIMITIVE -> PrimitiveState.bytes(study.aggregate(), keys, frames, mostEvents(study, load));
        };
        return (long) (ofPart * parts);
    }

    /** Returns the bytes for checking and keeping every step. */
    static long recordBytes(WindowStudy study, Phases phases, int parts) {
        return steps(study, phases) * (StepBoard.BYTES + (long) parts * 2 * Long.BYTES)
                + (long) study.keys() * (Integer.BYTES + Amounts.INTEGRAL_BYTES);
    }

    /** Steps of a trial, its warm-up included. */
    static long steps(WindowStudy study, Phases phases) {
        return phases.sendingNanos() / study.stepNanos() + 1;
    }

    /** The most events that one part has in a window and the current step. @param load of each part */
    static int mostEvents(WindowStudy study, Load load) {
        double mean = (study.windowNanos() + study.stepNanos()) / load.intervalNanos();
        return Math.toIntExact((long) Math.ceil(mean) + 1 + 2 * load.mostMissing(mean + 1));
    }
}
