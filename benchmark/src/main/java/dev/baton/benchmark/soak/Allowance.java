package dev.baton.benchmark.soak;

/**
 * How much a quantity may grow before that is called a trend: the largest of three amounts. Immutable, thread-safe.
 *
 * @param perHour an amount
 * @param sharePerHour of what it is at the beginning
 * @param ever however short the soak: what a JVM still takes after a warm-up, such as compiled code
 */
record Allowance(double perHour, double sharePerHour, double ever) {
    private static final double MEGA = 1 << 20;

    /** Twenty megabytes an hour, or a twentieth. */
    static Allowance bytes(double everMegabytes) {
        return new Allowance(20 * MEGA, 0.05, everMegabytes * MEGA);
    }

    /** Not even one. */
    static Allowance none() {
        return new Allowance(0, 0, 0.5);
    }

    /** Over so many hours from a level. */
    double over(double hours, double level) {
        return Math.max(ever, hours * Math.max(perHour, sharePerHour * level));
    }
}
