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
 */
public record Rate(
        double askedPerSecond, double achievedPerSecond, double share, double worstShare, int worstInstance) {}
