package dev.baton.lab.study.density;

/**
 * How close a search comes to the capacity. Immutable, thread-safe.
 *
 * @param share of the number that has passed
 * @param least instances
 */
public record StepWidth(double share, int least) {
    /** A twentieth: as much as two answers on a quiet machine differ by. */
    public static final StepWidth DEFAULT = new StepWidth(0.05, 1);

    /** At this number. */
    public int at(int instances) {
        return (int) Math.max(least, Math.round(instances * share));
    }
}
