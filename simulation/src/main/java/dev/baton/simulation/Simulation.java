package dev.baton.simulation;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The command line. */
public final class Simulation {
    private static final Logger CORE = Logger.getLogger("dev.baton"); // kept: a logger that nobody holds forgets its level

    private Simulation() {}

    /** See {@code simulation/run --help}. */
    public static void main(String[] arguments) {
        CORE.setLevel(Level.OFF);
        long first = Long.parseLong(arguments[0]);
        int count = Integer.parseInt(arguments[1]);
        java.util.EnumSet<Known> known = java.util.EnumSet.noneOf(Known.class);
        for (int i = 2; i < arguments.length; i++) { if (arguments[i].equals("all")) known = java.util.EnumSet.allOf(Known.class); else known.add(Known.valueOf(arguments[i])); }
        Faults faults = new Faults(known);
        long began = System.nanoTime();
        long steps = 0;
        Map<Rule, List<String>> found = new EnumMap<>(Rule.class);
        try (Carrier.Pool pool = new Carrier.Pool()) {
            for (int i = 0; i < count; i++) {
                Outcome outcome = Schedule.run(pool, Choices.of(first + i), faults, count == 1);
                steps += outcome.steps();
                if (count == 1) {
                    outcome.lines().forEach(System.out::println);
                    System.out.println(outcome.setting());
                    System.out.println(outcome.violation());
                    if (outcome.violation() != null && outcome.violation().cause() != null) outcome.violation().cause().printStackTrace();
                }
                if (outcome.violation() != null) {
                    found.computeIfAbsent(outcome.violation().rule(), any -> new ArrayList<>())
                            .add((first + i) + ": " + outcome.violation().text());
                }
            }
        }
        found.forEach((rule, list) -> { System.out.println(rule + " " + list.size());
           list.stream().limit(6).forEach(System.out::println); });
        System.out.printf("%d schedules, %d steps, %.1f s%n", count, steps, (System.nanoTime() - began) / 1e9);
    }
}
