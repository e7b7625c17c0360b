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

    /** At saturation, in all instances together, unless {@link #LEAST_IN_FLIGHT} makes it more: ten rings of 1024. */
    private static final int MOST_IN_FLIGHT = 10 << 10;

    /** At saturation, in each instance: enough for a batch at every hop. */
    private static final int LEAST_IN_FLIGHT = 256;

    /** How send times are spread. */
    public enum Arrivals {
        /** {@code start + k * interval}. */
        EVEN,
        /** A seeded Poisson process: independent gaps, exponentially distributed. */
        POISSON,
        /**
         * As soon as there is room: closed by back-pressure, so that latencies are no response times at a rate. Besides,
         * no more than {@link Load#mostInFlight} are in flight: some transports have no bound of their own, and whatever
         * is in flight at the end of the window has to arrive before the deadline.
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

    /** Messages that one of so many instances may have sent at saturation and not yet received. */
    public static int mostInFlight(int instances) {
        return Math.max(LEAST_IN_FLIGHT, MOST_IN_FLIGHT / instances);
    }

    public boolean isSaturated() {
        return arrivals == Arrivals.SATURATED;
    }

    /** The time between two messages of one instance, on average. */
    public double intervalNanos() {
        return 1e9 / ratePerSecond;
    }
}
