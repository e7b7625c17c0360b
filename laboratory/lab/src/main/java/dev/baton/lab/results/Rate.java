package dev.baton.lab.results;

/**
 * The load that was asked for and the load that was carried.
 *
 * @param askedPerSecond slots of the measured window over its length, all instances together
 * @param achievedPerSecond of those slots, the ones whose message was sent before the window's end, give or take 10 ms,
 *     or half of what a paced loop or a limit allows,
 *     and arrived by the drain deadline; over the window's length
 * @param share achieved over asked
 * @param worstShare the same of the worst instance
 * @param worstInstance which that is, counted from 1
 * @param writingNanos of a chain with messages of its own: what its generator took to write one, on average; else null
 */
public record Rate(
        double askedPerSecond,
        double achievedPerSecond,
        double share,
        double worstShare,
        int worstInstance,
        Double writingNanos) {
    /** Of messages that the laboratory writes itself. */
    public Rate(double askedPerSecond, double achievedPerSecond, double share, double worstShare, int worstInstance) {
        this(askedPerSecond, achievedPerSecond, share, worstShare, worstInstance, null);
    }

    /** The same with what a generator took. */
    public Rate with(Double nanos) {
        return new Rate(askedPerSecond, achievedPerSecond, share, worstShare, worstInstance, nanos);
    }
}
