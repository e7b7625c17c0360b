package dev.baton.lab.request;

import dev.baton.operations.settings.Range;
import java.util.Objects;

/**
 * What is sent and when: an open loop, whose send times are fixed before the run; or, at saturation, as much as the
 * chains take.
 *
 * @param ratePerSecond of each instance, from {@value #LEAST_RATE} to {@value #MOST_RATE}; the latter at saturation,
 *     where it means nothing
 * @param arrivals how the send times are spread
 * @param seed of everything drawn at random: phases of the instances, gaps, payloads
 * @param concurrency at saturation, requests that each instance has in flight at any time: a closed loop of so many
 *     clients, each of which sends its next when its answer is there; 0: as many as the chain takes
 */
public record Load(double ratePerSecond, Arrivals arrivals, long seed, int concurrency) {
    public static final double LEAST_RATE = 0.001;
    public static final double MOST_RATE = 10_000_000;
    public static final int MOST_CONCURRENCY = 100_000;

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
         * no more than {@link Load#inFlight} are in flight: some transports have no bound of their own, and whatever
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
        Range.check("concurrency", concurrency, 0, arrivals == Arrivals.SATURATED ? MOST_CONCURRENCY : 0);
    }

    /** A load that no number of clients closes. */
    public Load(double ratePerSecond, Arrivals arrivals, long seed) {
        this(ratePerSecond, arrivals, seed, 0);
    }

    /** A closed loop: so many clients, each of which sends its next request when its answer is there. */
    public static Load closed(int concurrency, long seed) {
        Range.check("concurrency", concurrency, 1, MOST_CONCURRENCY);
        return new Load(MOST_RATE, Arrivals.SATURATED, seed, concurrency);
    }

    public Load seeded(long other) {
        return new Load(ratePerSecond, arrivals, other, concurrency);
    }

    /** Every instance sends as long as there is room. */
    public static Load saturating(long seed) {
        return new Load(MOST_RATE, Arrivals.SATURATED, seed);
    }

    /** What that is where no number of clients closes the loop. */
    static int mostInFlight(int instances) {
        return Math.max(LEAST_IN_FLIGHT, MOST_IN_FLIGHT / instances);
    }

    /** Messages that each of so many instances may have sent at saturation and not yet received. */
    public int inFlight(int instances) {
        return isClosed() ? concurrency : mostInFlight(instances);
    }

    /** Whether a number of clients closes the loop. */
    public boolean isClosed() {
        return concurrency > 0;
    }

    public boolean isSaturated() {
        return arrivals == Arrivals.SATURATED;
    }

    /** The time between two messages of one instance, on average. */
    public double intervalNanos() {
        return 1e9 / ratePerSecond;
    }
}
