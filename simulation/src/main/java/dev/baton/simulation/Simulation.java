package dev.baton.simulation;

import dev.baton.simulation.plan.Choices;
import dev.baton.simulation.plan.Fault;
import dev.baton.simulation.plan.Reached;
import dev.baton.simulation.time.Carrier;
import dev.baton.simulation.world.ScheduleOutcome;
import dev.baton.simulation.world.ScheduleRun;
import java.util.List;
import java.util.Locale;

/** The command line; {@code simulation/run --help} lists its options. */
public final class Simulation {
    private static final int VIOLATED = 1;
    private static final int USAGE = 2;
    private static final int MAX_SHOWN = 5;

    private long first = 1;
    private long seed = -1; // -1: several
    private int schedules = 30_000;
    private long seconds = Long.MAX_VALUE / 1_000_000_000L;
    private String flaw;

    /**
     * Runs a command.
     *
     * @param arguments options and their values
     */
    public static void main(String[] arguments) throws Exception {
        Quiet.core();
        Simulation simulation = new Simulation();
        try {
            simulation.read(arguments);
        } catch (IllegalArgumentException wrong) {
            System.err.println("simulation: " + wrong.getMessage() + "; see simulation/run --help");
            System.exit(USAGE);
        }
        System.exit(simulation.run());
    }

    private void read(String[] arguments) {
        for (int i = 0; i < arguments.length; i += 2) {
            if (i + 1 == arguments.length) {
                throw new IllegalArgumentException(arguments[i] + " without a value");
            }
            String value = arguments[i + 1];
            switch (arguments[i]) {
                case "--seed" -> seed = Long.parseLong(value);
                case "--first" -> first = Long.parseLong(value);
                case "--schedules" -> schedules = Integer.parseInt(value);
                case "--seconds" -> seconds = Long.parseLong(value);
                case "--flaw" -> flaw = value;
                default -> throw new IllegalArgumentException("unknown option " + arguments[i]);
            }
        }
    }

    private int run() throws Exception {
        if ("list".equals(flaw)) {
            Flaws.ALL.forEach(each -> System.out.println(each.name()));
            return 0;
        }
        if (flaw != null) {
            return hunt();
        }
        return seed >= 0 ? replay() : several();
    }

    private int hunt() throws Exception {
        int missed = 0;
        for (Flaw each : flaw.equals("all") ? Flaws.ALL : List.of(Flaws.named(flaw))) {
            String found = FlawedClasses.hunt(each, first, schedules);
            System.out.printf(Locale.ROOT, "%-32s %s%n", each.name(), found == null ? "NOT FOUND" : "seed " + found);
            missed += found == null ? 1 : 0;
        }
        return missed == 0 ? 0 : VIOLATED;
    }

    private int replay() {
        try (Carrier.Pool pool = new Carrier.Pool()) {
            ScheduleOutcome outcome = ScheduleRun.run(pool, Choices.of(seed), true);
            if (outcome.violation() == null) {
                show(outcome);
                return 0;
            }
            System.out.println("seed " + seed + ": " + outcome.steps() + " steps; " + outcome.violation());
            int[][] simplest = new Shrinker(pool, outcome).shrink();
            System.out.println("the simplest schedule found that violates the same rule:");
            show(ScheduleRun.run(pool, Choices.replay(simplest), true));
            return VIOLATED;
        }
    }

    private static void show(ScheduleOutcome outcome) {
        System.out.println(outcome.setting());
        outcome.lines().forEach(System.out::println);
        System.out.println(outcome.violation() == null ? "everything was kept" : outcome.violation());
    }

    private int several() {
        long[] faults = new long[Fault.values().length];
        long[] met = new long[Reached.values().length];
        long began = System.nanoTime();
        long steps = 0;
        int ran = 0;
        int violated = 0;
        try (Carrier.Pool pool = new Carrier.Pool()) {
            while (ran < schedules && System.nanoTime() - began < seconds * 1_000_000_000L) {
                ScheduleOutcome outcome = ScheduleRun.run(pool, Choices.of(first + ran), false);
                steps += outcome.steps();
                for (Fault fault : Fault.values()) {
                    faults[fault.ordinal()] += outcome.faults()[fault.ordinal()];
                }
                for (Reached each : Reached.values()) {
                    met[each.ordinal()] += outcome.met()[each.ordinal()];
                }
                if (outcome.violation() != null && violated++ < MAX_SHOWN) {
                    System.out.println("seed " + (first + ran) + ": " + outcome.violation());
                    System.out.println("  replay it with: simulation/run --seed " + (first + ran));
                }
                ran++;
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%d schedules, %d steps, %.1f s, %d violated a rule%n",
                ran,
                steps,
                (System.nanoTime() - began) / 1e9,
                violated);
        for (Fault fault : Fault.values()) {
            System.out.printf(Locale.ROOT, "%8d  %-18s %s%n", faults[fault.ordinal()], fault, fault.meaning);
        }
        for (Reached each : Reached.values()) {
            System.out.printf(Locale.ROOT, "%8d  %-18s %s%n", met[each.ordinal()], each, each.meaning);
        }
        return violated == 0 ? 0 : VIOLATED;
    }
}
