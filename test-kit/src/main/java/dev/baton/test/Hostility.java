package dev.baton.test;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The hostile mode: the number of runs that repeat a test, and their hardships. {@link Tester#assertRepeatable(Hostility)} runs it.
 *
 * <p>Run 0 is undisturbed, the next runs have one {@link Hardship} each, the others several. Each is determined by its number and by the
 * seed of the tester. Immutable, thread-safe.
 */
public final class Hostility {
    /** The number of runs unless another one is given. */
    public static final int DEFAULT_RUNS = 100;

    private static final int MAX_RUNS = 1_000_000;

    private final int runs;
    private final Set<Hardship> hardships;

    private Hostility(int runs, Set<Hardship> hardships) {
        this.runs = runs;
        this.hardships = Collections.unmodifiableSet(hardships);
    }

    /**
     * {@return every hardship but {@link Hardship#LATE_TICKS}, in {@value #DEFAULT_RUNS} runs}
     */
    public static Hostility all() {
        return new Hostility(DEFAULT_RUNS, EnumSet.complementOf(EnumSet.of(Hardship.LATE_TICKS)));
    }

    /**
     * {@return this hostility with another number of runs}
     *
     * @param number 1 to 1,000,000
     */
    public Hostility runs(int number) {
        if (number < 1 || number > MAX_RUNS) {
            throw new IllegalArgumentException(number + " hostile runs; 1 to " + MAX_RUNS + " are allowed");
        }
        return new Hostility(number, hardships);
    }

    /**
     * {@return this hostility with further hardships}
     *
     * @param added to those there are
     */
    public Hostility with(Hardship... added) {
        Set<Hardship> more = EnumSet.noneOf(Hardship.class);
        more.addAll(hardships);
        more.addAll(List.of(added));
        return new Hostility(runs, more);
    }

    /**
     * {@return this hostility without some hardships, whose findings are accepted}
     *
     * @param omitted of those there are
     */
    public Hostility without(Hardship... omitted) {
        Set<Hardship> left = EnumSet.noneOf(Hardship.class);
        left.addAll(hardships);
        left.removeAll(List.of(omitted));
        return new Hostility(runs, left);
    }

    /**
     * {@return this hostility with these hardships alone}
     *
     * @param first one of them
     * @param others further ones
     */
    public Hostility only(Hardship first, Hardship... others) {
        return new Hostility(runs, EnumSet.of(Objects.requireNonNull(first, "hardship"), others));
    }

    int runs() {
        return runs;
    }

    Set<Hardship> hardships() {
        return hardships;
    }
}
