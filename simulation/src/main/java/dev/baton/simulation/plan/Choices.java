package dev.baton.simulation.plan;

import java.util.Arrays;

/**
 * All decisions in a schedule that the code does not determine: a list of numbers drawn from a seed, or replayed. 0 is always the simplest
 * choice, so that a schedule is simplified by setting choices to 0. Single-threaded.
 */
public final class Choices {
    /** Kinds of decisions, kept apart so that one kind can be simplified without changing the others. */
    public enum Kind {
        /** The plan: the chain, its processes and the faults. */
        PLAN,
        /** The order of actors and the durations of steps. */
        ORDER,
        /** The behaviour of the simulated transport. */
        WORLD,
        /** The faults of its storage. */
        STORAGE,
        /** The clock readings at which a script is suspended, in some schedules. */
        SUSPENSION
    }

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final int[][] made = new int[Kind.values().length][256];
    private final int[] count = new int[Kind.values().length];
    private final int[][] replayed; // null: drawn from the seed
    private final long[] states = new long[Kind.values().length];

    private Choices(int[][] replayed) {
        this.replayed = replayed;
    }

    public static Choices of(long seed) {
        Choices choices = new Choices(null);
        for (int i = 0; i < choices.states.length; i++) {
            choices.states[i] = mix(seed * 31 + i + 1);
        }
        return choices;
    }

    /** Repeats choices; later ones are 0. */
    public static Choices replay(int[][] choices) {
        return new Choices(choices);
    }

    /** Returns a number from 0 to {@code bound - 1}. */
    public int next(Kind kind, int bound) {
        int index = kind.ordinal();
        int at = count[index];
        int value;
        if (replayed == null) {
            states[index] += GOLDEN;
            value = (int) Long.remainderUnsigned(mix(states[index]), bound);
        } else {
            value = at < replayed[index].length ? replayed[index][at] % bound : 0;
        }
        if (at == made[index].length) {
            made[index] = Arrays.copyOf(made[index], at * 2);
        }
        made[index][at] = value;
        count[index] = at + 1;
        return value;
    }

    /** Returns true once in {@code times}; false is the simple choice. */
    public boolean oneIn(Kind kind, int times) {
        return next(kind, times) == times - 1;
    }

    /** {@return all choices so far, for {@link #replay}} */
    public int[][] made() {
        int[][] copy = new int[made.length][];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = Arrays.copyOf(made[i], count[i]);
        }
        return copy;
    }

    public static long mix(long value) {
        long x = value;
        x = (x ^ x >>> 30) * 0xbf58476d1ce4e5b9L;
        x = (x ^ x >>> 27) * 0x94d049bb133111ebL;
        return x ^ x >>> 31;
    }
}
