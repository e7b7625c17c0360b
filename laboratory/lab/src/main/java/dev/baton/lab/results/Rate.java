package dev.baton.lab.results;

/**
 * The requested and the carried load.
 *
 * @param askedPerSecond slots of the measured window over its length, all instances together
 * @param achievedPerSecond of those slots, the ones whose message was sent before the window's end, with a tolerance of 10 ms, or half of
 * the tolerance of a paced loop or a limit, and arrived by the drain deadline; over the window's length
 * @param share achieved over requested
 * @param worstShare that share of the worst instance
 * @param worstInstance number of that instance, counted from 1
 * @param writingNanos of a chain with messages of its own: average time of its generator to write one; else null
 */
public record Rate(
        double askedPerSecond,
        double achievedPerSecond,
        double share,
        double worstShare,
        int worstInstance,
        Double writingNanos) {
    /** Creates the rate of messages that the laboratory writes itself. */
    public Rate(double askedPerSecond, double achievedPerSecond, double share, double worstShare, int worstInstance) {
        this(askedPerSecond, achievedPerSecond, share, worstShare, worstInstance, null);
    }

    /** Returns the rate with the time of a generator. */
    public Rate with(Double nanos) {
        return new Rate(askedPerSecond, achievedPerSecond, share, worstShare, worstInstance, nanos);
    }
}
