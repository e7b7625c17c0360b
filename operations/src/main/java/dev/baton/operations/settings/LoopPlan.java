package dev.baton.operations.settings;

import java.util.Objects;

/**
 * The threads that carry a trial's chains, as typed; the trial reads the words, so that both sides refuse alike.
 *
 * @param threading {@code cooperative:N}, {@code per-service} or {@code virtual}
 * @param idle {@code default}, {@code spin}, {@code yielding}, {@code park:50us} or {@code backoff}
 * @param latencyBudgetNanos the latency budget that loops may spend to save work, 0 for none
 */
public record LoopPlan(String threading, String idle, long latencyBudgetNanos) {
    public static final String DEFAULT_IDLE = "default";

    /** A thread for each service. */
    public static final String PER_SERVICE = "per-service";

    /** Before the number of loops that share all services. */
    public static final String COOPERATIVE = "cooperative:";

    public LoopPlan {
        Objects.requireNonNull(threading, "threading");
        idle = idle == null ? DEFAULT_IDLE : idle;
        Range.check("latency budget, in ns,", latencyBudgetNanos, 0, Long.MAX_VALUE);
    }

    /** Whether the parts of a chain share a loop. */
    public boolean isCooperative() {
        return threading.startsWith(COOPERATIVE);
    }
}
