package dev.baton.measuring;

/** Random numbers without state: the n-th output of SplitMix64 (Steele, Lea and Flood 2014). */
public final class Mix {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private Mix() {}

    /** Returns the n-th number of a seed's sequence. */
    public static long of(long seed, long n) {
        long z = seed + (n + 1) * GOLDEN;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** Returns the n-th number of a seed's sequence as one of the uniform distribution between 0 and 1, without either. */
    public static double uniform(long seed, long n) {
        return ((of(seed, n) >>> 11) + 0.5) * 0x1p-53;
    }

    /** Returns the n-th number of a seed's sequence as one of the exponential distribution with mean 1. */
    public static double exponential(long seed, long n) {
        return -Math.log(uniform(seed, n));
    }
}
