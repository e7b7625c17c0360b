package dev.baton.simulation.world;

import java.util.HashMap;
import java.util.Map;

/** Throws in place of a simulated service, as faults require. Confined to the service's loop. */
final class Throwing {
    /** Thrown by services and sources. */
    static final class SimulatedFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        SimulatedFailure() {
            super("simulated failure of a callback", null, false, false);
        }
    }

    private final World world;
    private final Run run;
    private final int index; // of the service
    private final Map<Long, Integer> failures = new HashMap<>(); // of each input that is delivered again

    Throwing(World world, Run run, int index) {
        this.world = world;
        this.run = run;
        this.index = index;
    }

    /** {@return whether a fault requires this call to throw} */
    boolean isDue() {
        return run.process.throwsNext > 0;
    }

    /** {@return whether a fault requires this call to throw, and the input is delivered again after it} */
    boolean isDueAndRetried(long sequence) {
        int before = failures.getOrDefault(sequence, 0);
        return isDue() && (!world.setting.skips || before < world.setting.retries);
    }

    /** Throws because of a fault. */
    void fail(long sequence) {
        run.process.throwsNext--;
        failAt(sequence);
    }

    /** Throws because of the input. */
    void failAt(long sequence) {
        int throwsInRow = failures.merge(sequence, 1, Integer::sum);
        run.throwsInRow = throwsInRow;
        if (throwsInRow > world.setting.retries && !world.setting.skips) {
            run.mayFail = true;
        }
        world.says("service " + index + " throws on input " + sequence);
        throw new SimulatedFailure();
    }
}
