package dev.baton.lab.study.density;

import dev.baton.lab.request.Limit;
import dev.baton.operations.options.LoopOptions;
import dev.baton.spi.Guarantee;
import dev.baton.spi.TransportProvider;
import java.util.List;

/** The default latency budget for a limit. Stateless, thread-safe. */
public final class DefaultLatencyBudget {
    /** Shorter ones are not paced. */
    public static final long SHORTEST_NANOS = LoopOptions.SHORTEST_BUDGET.toNanos();

    /**
     * The budget of paced loops as a part of the tightest limit. A third of the budget is the time from sweep to sweep, 43
     * of 100 ms here; the rest of the limit has to cover the sweep itself and the stalls of the machine. 1,100 Chronicle
     * chains: 272 ns of CPU per hop with 1, 241 with 1.3.
     */
    static final double SHARE_OF_LIMIT = 1.3;

    /** The share for a transport whose frames make a round trip at every hop, which sweeps do not shorten. */
    static final double SHARE_WITH_ROUND_TRIPS = 0.6;

    /** A paced loop sweeps three times in its budget. */
    private static final int SWEEPS_PER_BUDGET = 3;

    /**
     * Messages of an instance that a default budget lets come together for one sweep: less than half of what a source
     * sends in a turn, a flush holds and a small ring has slots, all of them 256.
     */
    private static final int MOST_PER_SWEEP = 100;

    private DefaultLatencyBudget() {}

    /** Returns the budget in nanoseconds; 0 for none, as the limit or the rate leaves no time. @param ratePerSecond into each chain */
    public static long nanos(TransportProvider transport, List<Limit> limits, double ratePerSecond) {
        double fill = SWEEPS_PER_BUDGET * MOST_PER_SWEEP * 1e9 / ratePerSecond;
        double part = transport.guarantees().contains(Guarantee.IMMEDIATE) ? SHARE_OF_LIMIT : SHARE_WITH_ROUND_TRIPS;
        long share = (long) Math.min(fill, Limit.tightestNanos(limits) * part);
        return share < SHORTEST_NANOS ? 0 : Math.min(share, LoopOptions.LONGEST_BUDGET.toNanos());
    }
}
