package dev.baton.simulation.world;

import dev.baton.simulation.plan.Choices;
import dev.baton.simulation.plan.Trace;
import dev.baton.simulation.plan.Violation;
import dev.baton.simulation.time.Carrier;

/** Runs one schedule. Stateless. */
public final class ScheduleRun {
    private ScheduleRun() {}

    public static ScheduleOutcome run(Carrier.Pool pool, Choices choices, boolean withText) {
        Trace trace = new Trace(withText);
        World world = new World(pool, choices, trace);
        world.scheduler.run();
        world.account().check();
        if (withText) {
            world.saysTopics();
        }
        Violation violation = world.account().hasViolation() ? world.account().violation() : null;
        return new ScheduleOutcome(
                violation,
                choices.made(),
                world.setting,
                world.scheduler.steps,
                world.faults,
                world.met,
                trace.hash(),
                trace.lines());
    }
}
