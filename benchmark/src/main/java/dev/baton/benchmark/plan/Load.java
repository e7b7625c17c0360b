package dev.baton.benchmark.plan;

import java.util.Objects;

/**
 * What is sent and when: an open loop, whose send times are fixed before the run.
 *
 * @param ratePerSecond of each instance, from {@value #LEAST_RATE} to {@value #MOST_RATE}
 * @param arrivals how the send times are spread
 * @param seed of everything drawn at random: phases of the instances, gaps, payloads
 */
public record Load(double ratePerSecond, Arrivals arrivals, long seed) {
    public static final double LEAST_RATE = 0.001;
    public static final double MOST_RATE = 10_000_000;

    /** How send times are spread. Saturation, which has none, would be another constant here. */
    public enum Arrivals {
        /** {@code start + k * interval}. */
        EVEN,
        /** A seeded Poisson process: independent gaps, exponentially distributed. */
        POISSON
    }

    public Load {
        if (!(ratePerSecond >= LEAST_RATE && ratePerSecond <= MOST_RATE)) {
            throw new IllegalArgumentException("rate " + ratePerSecond + " messages per second is out of range; "
                    + LEAST_RATE + " to " + MOST_RATE);
        }
        Objects.requireNonNull(arrivals, "arrivals");
    }

    /** The time between two messages of one instance, on average. */
    public double intervalNanos() {
        return 1e9 / ratePerSecond;
    }
}
