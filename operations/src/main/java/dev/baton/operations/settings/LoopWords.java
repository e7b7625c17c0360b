package dev.baton.operations.settings;

import dev.baton.run.Idle;
import dev.baton.run.Loops;
import dev.baton.spi.Options;
import java.time.Duration;

/** Reads how people name threads and idle strategies. Stateless, thread-safe. */
public final class LoopWords {
    private static final String COOPERATIVE = "cooperative:";
    private static final String PARK = "park:";

    private LoopWords() {}

    /**
     * Loops as planned; they start no thread before their first chain, so this also serves to check the words.
     *
     * @throws IllegalArgumentException for words that are not known or not allowed
     * @throws UnsupportedOperationException for virtual threads on a JVM without them
     */
    public static Loops open(LoopPlan plan) {
        Loops loops = threads(plan.threading());
        if (!plan.idle().equals(LoopPlan.DEFAULT_IDLE)) {
            loops.idle(idle(plan.idle()));
        }
        if (plan.latencyBudgetNanos() > 0) {
            loops.latencyBudget(Duration.ofNanos(plan.latencyBudgetNanos()));
        }
        return loops;
    }

    private static Loops threads(String words) {
        if (words.equals("per-service")) {
            return Loops.threadPerService();
        }
        if (words.equals("virtual")) {
            return Loops.virtual();
        }
        if (words.startsWith(COOPERATIVE)) {
            try {
                return Loops.cooperative(Integer.parseInt(words.substring(COOPERATIVE.length())));
            } catch (NumberFormatException notANumber) {
                // refused below
            }
        }
        throw new IllegalArgumentException("unknown threading '" + words
                + "'; known: cooperative:N with N threads from 1 to 1024, per-service, virtual");
    }

    private static Idle idle(String words) {
        if (words.startsWith(PARK)) {
            return Idle.park(Options.parseDuration(words.substring(PARK.length())));
        }
        return switch (words) {
            case "spin" -> Idle.spin();
            case "yielding" -> Idle.yielding();
            case "backoff" -> Idle.backoff();
            default ->
                throw new IllegalArgumentException("unknown idle strategy '" + words
                        + "'; known: default, spin, yielding, backoff, park:TIME with a time such as 50us");
        };
    }
}
