package dev.baton.lab.study.soak;

/**
 * How much a quantity may grow before that is called a trend: the largest of three amounts. Those by the hour count for so
 * many hours at most: what grows without end is a leak, however slow, and a long soak is there to find it. Immutable,
 * thread-safe.
 *
 * @param perHour an amount
 * @param sharePerHour of what it is at the beginning
 * @param ever however short the soak: what a JVM still takes after a warm-up, such as compiled code
 * @param mostHours after which no more may grow
 */
record Allowance(double perHour, double sharePerHour, double ever, double mostHours) {
    private static final double MEGA = 1 << 20;
    private static final double DAY = 24;

    /** What may grow in an hour is all that may grow. */
    Allowance(double perHour, double sharePerHour, double ever) {
        this(perHour, sharePerHour, ever, 1);
    }

    /** Twenty megabytes an hour, or a twentieth. */
    static Allowance bytes(double everMegabytes) {
        return new Allowance(20 * MEGA, 0.05, everMegabytes * MEGA);
    }

    /**
     * The same for a day: a topic of Chronicle's keeps its index, half a byte per excerpt, until its file rolls, which is
     * daily unless another cycle is asked for.
     */
    static Allowance files(double everMegabytes) {
        return new Allowance(20 * MEGA, 0.05, everMegabytes * MEGA, DAY);
    }

    /** Not even one. */
    static Allowance none() {
        return new Allowance(0, 0, 0.5);
    }

    /** Over so many hours from a level. */
    double over(double hours, double level) {
        return Math.max(ever, Math.min(hours, mostHours) * Math.max(perHour, sharePerHour * level));
    }
}
