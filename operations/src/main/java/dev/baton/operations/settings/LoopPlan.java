package dev.baton.operations.settings;

import dev.baton.Deployment;
import dev.baton.run.Idle;
import dev.baton.run.Loops;
import dev.baton.spi.options.Options;
import java.time.Duration;
import java.util.Objects;

/**
 * The threads of the chains of a service or a trial, as given on the command line; a trial's two processes parse the text and refuse
 * it for the same reasons.
 *
 * @param threading {@code cooperative:N}, {@code per-service} or {@code virtual}
 * @param idle {@code default}, {@code spin}, {@code yielding}, {@code park:50us} or {@code backoff}
 * @param latencyBudgetNanos the latency budget that loops may spend to save work, 0 for none
 * @param batch most messages that a service takes in one turn, 0 for the default of a deployment
 */
public record LoopPlan(String threading, String idle, long latencyBudgetNanos, int batch) {
    /** The largest batch, as {@link Deployment#batch} allows it. */
    public static final int MOST_BATCH = 1 << 20;

    public static final String DEFAULT_IDLE = "default";

    /** A thread for each service. */
    public static final String PER_SERVICE = "per-service";

    /** The prefix of the number of loops that share all services. */
    public static final String COOPERATIVE = "cooperative:";

    /** A virtual thread for each service. */
    public static final String VIRTUAL = "virtual";

    private static final String PARK = "park:";

    public LoopPlan {
        Objects.requireNonNull(threading, "threading");
        idle = idle == null ? DEFAULT_IDLE : idle;
        Range.check("latency budget, in ns,", latencyBudgetNanos, 0, Long.MAX_VALUE);
        Range.check("batch", batch, 0, MOST_BATCH);
    }

    /** Creates a plan with the default batch of a deployment. */
    public LoopPlan(String threading, String idle, long latencyBudgetNanos) {
        this(threading, idle, latencyBudgetNanos, 0);
    }

    /** Returns the deployment with the batch of this plan. */
    public Deployment batched(Deployment deployment) {
        return batch == 0 ? deployment : deployment.batch(batch);
    }

    /** {@return whether the parts of a chain share a loop} */
    public boolean isCooperative() {
        return threading.startsWith(COOPERATIVE);
    }

    /**
     * Loops as planned; they start no thread before their first chain, so this also serves to check the words.
     *
     * @throws IllegalArgumentException for words that are not known or not allowed
     * @throws UnsupportedOperationException for virtual threads on a JVM without them
     */
    public Loops open() {
        Loops loops = threads(threading);
        loops.idle(idleStrategy());
        if (latencyBudgetNanos > 0) {
            loops.latencyBudget(Duration.ofNanos(latencyBudgetNanos));
        }
        return loops;
    }

    /** {@return the idle strategy of the command line, or the default of loops} */
    public Idle idleStrategy() {
        return idle.equals(DEFAULT_IDLE) ? Idle.backoff() : idle(idle);
    }

    private static Loops threads(String words) {
        if (words.equals(PER_SERVICE)) {
            return Loops.threadPerService();
        }
        if (words.equals(VIRTUAL)) {
            return Loops.virtual();
        }
        if (words.matches(COOPERATIVE + "[0-9]{1,9}")) {
            return Loops.cooperative(Integer.parseInt(words.substring(COOPERATIVE.length())));
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
