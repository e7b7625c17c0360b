package dev.baton.lab.study.window;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;

/** How much heap a window takes, all parts together. Stateless, thread-safe. */
public final class StateSize {
    /** The most steps that a trial remembers. */
    public static final int MOST_STEPS = 10_000_000;

    private StateSize() {}

    /**
     * Bytes that its counts take at any time, calculated from what the objects take on HotSpot with compressed pointers.
     *
     * @param load of each part
     */
    public static long stateBytes(WindowStudy study, Load load, int parts) {
        double keys = study.keys() / (double) parts;
        double perStep = load.ratePerSecond() * study.stepNanos() / 1e9;
        double frames = study.windowNanos() / study.stepNanos();
        double ofPart = switch (study.state()) {
            case BOXED -> BoxedState.bytes(keys, frames, perStep);
            case PRIMITIVE -> PrimitiveState.bytes(keys, frames, perStep);
        };
        return (long) (ofPart * parts);
    }

    /** Bytes that checking and remembering every step takes. */
    public static long recordBytes(WindowStudy study, Phases phases, int parts) {
        return steps(study, phases) * (StepBoard.BYTES + (long) parts * Long.BYTES)
                + (long) study.keys() * Integer.BYTES;
    }

    /** Steps of a trial, its warm-up included. */
    public static long steps(WindowStudy study, Phases phases) {
        return (phases.warmupNanos() + phases.measureNanos()) / study.stepNanos() + 1;
    }

    /** The most events that one part has in a step. */
    static int mostPerStep(Load load, long stepNanos) {
        return (int) Math.ceil(stepNanos / load.intervalNanos()) + 1;
    }
}
