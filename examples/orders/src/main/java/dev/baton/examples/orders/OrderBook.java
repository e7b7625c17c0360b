package dev.baton.examples.orders;

/** The orders of measurements of the pipeline: each depends only on a seed, an instance and its number. Immutable, thread-safe. */
final class OrderBook {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final long LIMIT_CENTS = 10_000;
    private static final int MOST_GOOD = 400;
    private static final int LEAST_RISKY = 600;

    private final long seed;
    private final int rejectedPercent;
    private final int riskyPercent;

    OrderBook(long seed, int instance, int rejectedPercent, int riskyPercent) {
        this.seed = mix(seed + instance);
        this.rejectedPercent = rejectedPercent;
        this.riskyPercent = riskyPercent;
    }

    /** Fills in the order of that number, as it enters the pipeline. */
    void fill(long number, Order order) {
        long drawn = mix(seed + number * GOLDEN);
        boolean isRejected = percent(drawn) < rejectedPercent;
        int spread = (int) (drawn & 0xFF);
        order.id = number;
        order.symbol(isRejected && spread < 128 ? "" : "BTN");
        order.quantity = isRejected ? -spread : isRisky(drawn) ? LEAST_RISKY + spread : 1 + spread % MOST_GOOD;
        order.limitCents = LIMIT_CENTS;
        order.currency = 0;
        order.priceCents = 0;
        order.exposureCents = 0;
    }

    /** {@return whether the order with a number is booked: neither rejected nor beyond the risk limit} */
    boolean isBooked(long number) {
        long drawn = mix(seed + number * GOLDEN);
        return percent(drawn) >= rejectedPercent && !isRisky(drawn);
    }

    private boolean isRisky(long drawn) {
        return percent(drawn) < rejectedPercent + riskyPercent;
    }

    private static int percent(long drawn) {
        return (int) ((drawn >>> 32) % 100);
    }

    /** SplitMix64 (Steele, Lea and Flood 2014). */
    private static long mix(long value) {
        long z = value + GOLDEN;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
