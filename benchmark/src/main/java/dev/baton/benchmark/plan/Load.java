package dev.baton.benchmark.plan;

import java.util.Objects;

/**
 * What is sent and when: an open loop, whose send times are fixed before the run; or, at saturation, as much as the
 * chains take.
 *
 * @param ratePerSecond of each instance, from {@value #LEAST_RATE} to {@value #MOST_RATE}; the latter at saturation,
 *     where it means nothing
 * @param arrivals how the send times are spread
 * @param seed of everything drawn at random: phases of the instances, gaps, payloads
 */
public record Load(double ratePerSecond, Arrivals arrivals, long seed) {
    public static final double LEAST_RATE = 0.001;
    public static final double MOST_RATE = 10_000_000;

    /** How send times are spread. */
    public enum Arrivals {
        /** {@code start + k * interval}. */
        EVEN,
        /** A seeded Poisson process: independent gaps, exponentially distributed. */
        POISSON,
        /**
         * As soon as there is room: closed by back-pressure, so that latencies are no response times at a rate. Besides,
         * a bounded number of messages is in flight, so that transports without a bound of their own can be drained.
         */
        SATURATED
    }

    public Load {
        if (!(ratePerSecond >= LEAST_RATE && ratePerSecond <= MOST_RATE)) {
            throw new IllegalArgumentException("rate " + ratePerSecond + " messages per second is out of range; "
                    + LEAST_RATE + " to " + MOST_RATE);
        }
        Objects.requireNonNull(arrivals, "arrivals");
    }

    /** Every instance sends as long as there is room. */
    public static Load saturating(long seed) {
        return new Load(MOST_RATE, Arrivals.SATURATED, seed);
    }

    public boolean isSaturated() {
        return arrivals == Arrivals.SATURATED;
    }

    /** The time between two messages of one instance, on average. */
    public double intervalNanos() {
        return 1e9 / ratePerSecond;
    }
}
