package dev.baton.lab.study.load;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * Finds the smallest memory that is enough: from the largest size it halves while the size is enough, then narrows the gap to {@value
 * #STEP_MEGABYTES} MB by bisection. A size that only exceeded a limit is tried once more before it counts as too small; the smallest is
 * measured once more before it is the answer, and if it fails the next larger step is tried. Confined to one thread.
 */
public final class MemorySearch {
    public static final int STEP_MEGABYTES = 8;

    private static final long MEGA = 1 << 20;

    public enum Outcome {
        /** It ran and kept its limits. */
        ENOUGH,
        /** It ran and did not keep them, or was disturbed. */
        NOT_KEPT,
        /** It could not run for lack of memory. */
        OUT_OF_MEMORY,
        /** Nothing more is to be tried: interrupted, or it did not run for another reason. */
        ENDED
    }

    /** The end of a search that cannot go on. */
    private static final class Ended extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final LongFunction<Outcome> trial;
    private boolean isEnded;
    private final Map<Long, Outcome> outcomes = new LinkedHashMap<>();

    /**
     * Creates a search.
     *
     * @param trial runs a trial with this many bytes
     */
    public MemorySearch(LongFunction<Outcome> trial) {
        this.trial = trial;
    }

    /** Searches. @return bytes; 0 when not even the largest is enough, or when the search was inconclusive */
    public long smallest(long leastBytes, long mostBytes) {
        try {
            return search(leastBytes / MEGA, mostBytes / MEGA) * MEGA;
        } catch (Ended ended) {
            isEnded = true;
            return 0;
        }
    }

    /** {@return whether the search could not continue, so that the result is unknown} */
    public boolean isEnded() {
        return isEnded;
    }

    private long search(long least, long most) {
        if (!isEnough(most)) {
            return 0;
        }
        long enough = most;
        long tooSmall = 0;
        while (enough > least && tooSmall == 0) {
            long half = Math.max(least, enough / 2);
            if (isEnough(half)) {
                enough = half;
            } else {
                tooSmall = half;
            }
        }
        while (tooSmall > 0 && enough - tooSmall > STEP_MEGABYTES) {
            long middle = (enough + tooSmall) / 2;
            if (isEnough(middle)) {
                enough = middle;
            } else {
                tooSmall = middle;
            }
        }
        return confirmed(enough, most);
    }

    /** Returns the size itself if it is enough again, or the next larger step that is enough twice. */
    private long confirmed(long size, long most) {
        for (long each = size; each < most; each += STEP_MEGABYTES) {
            boolean isKnown = outcomes.get(each) == Outcome.ENOUGH;
            if ((isKnown || isEnough(each)) && once(each) == Outcome.ENOUGH) {
                return each;
            }
        }
        return most;
    }

    private boolean isEnough(long megabytes) {
        Outcome outcome = once(megabytes);
        if (outcome == Outcome.NOT_KEPT) {
            outcome = once(megabytes);
        }
        return outcome == Outcome.ENOUGH;
    }

    private Outcome once(long megabytes) {
        Outcome outcome = trial.apply(megabytes * MEGA);
        if (outcome == Outcome.ENDED) {
            throw new Ended();
        }
        outcomes.put(megabytes, outcome);
        return outcome;
    }
}
