package dev.baton.chronicle.format;

import java.util.HashMap;
import java.util.Map;
import net.openhft.chronicle.core.values.LongValue;

/** Numbers in memory, whose process may be killed before it changes one. */
public final class KillableNumbers implements StoredPosition.Numbers {
    private final Map<String, Number> numbers = new HashMap<>();
    private int left = Integer.MAX_VALUE;
    private int readsLeft;
    private Runnable betweenReads; // null if nothing happens between reads

    /** The end of the process. */
    public static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Kills the process before the change behind so many others. */
    public void killAfter(int changes) {
        left = changes;
    }

    /** Does something once, after so many further reads of numbers. */
    void afterReads(int reads, Runnable action) {
        readsLeft = reads;
        betweenReads = action;
    }

    @Override
    public LongValue acquire(String key, long initial) {
        return numbers.computeIfAbsent(key, added -> new Number(initial));
    }

    /** Flips a bit of each number in turn while something runs. */
    void flipEach(Runnable whileFlipped) {
        for (Number number : numbers.values()) {
            for (int bit = 0; bit < Long.SIZE; bit++) {
                number.value ^= 1L << bit;
                whileFlipped.run();
                number.value ^= 1L << bit;
            }
        }
    }

    private final class Number implements LongValue {
        private long value;

        Number(long value) {
            this.value = value;
        }

        @Override
        public long getValue() {
            if (betweenReads != null && readsLeft-- == 0) {
                Runnable action = betweenReads;
                betweenReads = null;
                action.run();
            }
            return value;
        }

        @Override
        public void setValue(long next) {
            if (left-- == 0) {
                throw new Killed();
            }
            value = next;
        }

        @Override
        public long addValue(long delta) {
            setValue(value + delta);
            return value;
        }

        @Override
        public boolean compareAndSwapValue(long expected, long next) {
            boolean isExpected = value == expected;
            if (isExpected) {
                setValue(next);
            }
            return isExpected;
        }
    }
}
