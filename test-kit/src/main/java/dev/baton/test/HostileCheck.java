package dev.baton.test;

import java.util.EnumSet;
import java.util.Set;

/** Runs the steps of a test repeatedly under hardships, and reports the first difference with its usual causes. Single-threaded. */
final class HostileCheck {
    private static final int UNDISTURBED = 3; // runs that show whether a service differs by itself
    private static final int EACH = 4; // runs that show whether one hardship is enough

    private static final String BY_ITSELF = "It differs without any disturbance." + System.lineSeparator()
            + "Usual causes: a clock of its own (System.nanoTime,"
            + " Instant.now: results take ServiceContext.time()), random numbers, static fields that another instance has"
            + " changed, the order of a HashMap or HashSet of objects without a hashCode of their own, a view of"
            + " Message.payload() or key() that was kept after its callback, or bytes of a claim"
            + " that were committed and not written.";

    private final Rig.Plan plan;
    private final Scenario scenario;
    private final Oracle oracle;
    private final TestSeed seed;

    HostileCheck(Rig.Plan plan, Scenario scenario, TestSeed seed) {
        this.plan = plan;
        this.scenario = scenario;
        this.seed = seed;
        this.oracle = new Oracle(plan.chain());
    }

    void check(Hostility hostility) {
        Conditions none = Conditions.none();
        Mismatch failure = run(none);
        if (failure != null) {
            throw error(failure, 0, none, "It shows in the undisturbed run, so it is no matter of restarts.");
        }
        if (seed.run() != TestSeed.ALL) {
            check(seed.run(), hostility.hardships());
            return;
        }
        for (int run = 0; run < hostility.runs(); run++) {
            check(run, hostility.hardships());
        }
    }

    private void check(int number, Set<Hardship> allowed) {
        Conditions conditions = Conditions.of(seed, number, allowed);
        Mismatch difference = run(conditions);
        if (difference != null) {
            throw explained(difference, number, conditions.hardships);
        }
    }

    private Mismatch run(Conditions conditions) {
        return new HostileRun(plan, scenario, conditions, oracle).run();
    }

    /** Searches for the fewest hardships that show a difference, and returns an error with their usual causes. */
    private NotRepeatableError explained(Mismatch difference, int number, Set<Hardship> hardships) {
        if (difference.cause() != null) { // whose message describes the remedy
            Conditions met = Conditions.with(seed, number, hardships);
            return error(
                    difference,
                    number,
                    met,
                    "It shows under " + (hardships.isEmpty() ? "no hardship" : hardships) + ".");
        }
        for (int i = 0; i < UNDISTURBED; i++) {
            if (run(Conditions.with(seed, number + i, EnumSet.noneOf(Hardship.class))) != null) {
                return error(difference, number, Conditions.none(), BY_ITSELF);
            }
        }
        for (Hardship each : hardships) {
            for (int i = 0; i < EACH; i++) {
                Conditions alone = Conditions.with(seed, number + i, EnumSet.of(each));
                if (run(alone) != null) {
                    return error(
                            difference,
                            number,
                            alone,
                            "It shows under " + each + " alone: " + each.finding + "." + System.lineSeparator()
                                    + each.hint);
                }
            }
        }
        Conditions together = Conditions.with(seed, number, hardships);
        return error(
                difference,
                number,
                together,
                "It shows under " + hardships + " together." + System.lineSeparator()
                        + hardships.stream()
                                .map(each -> each.hint)
                                .distinct()
                                .reduce((a, b) -> a + System.lineSeparator() + b)
                                .orElse(BY_ITSELF));
    }

    private NotRepeatableError error(Mismatch difference, int number, Conditions conditions, String hint) {
        return new NotRepeatableError(difference, seed.text(number), conditions.hardships, hint);
    }
}
