package dev.baton.simulation;

/** Runs one schedule. Stateless. */
final class Schedule {
    private Schedule() {}

    static Outcome run(Carrier.Pool pool, Choices choices, Faults faults, boolean withText) {
        Trace trace = new Trace(withText);
        World world = new World(pool, choices, trace, faults);
        world.scheduler.run();
        world.account().check();
        if (withText) {
            world.saysTopics();
        }
        Violation violation = world.account().hasViolation() ? world.account().violation() : null;
        return new Outcome(
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
