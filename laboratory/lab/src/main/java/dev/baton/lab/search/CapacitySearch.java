package dev.baton.lab.search;

import dev.baton.lab.results.Verdict;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The search for the largest number of instances that passes, without the trials themselves.
 *
 * <p>From the start it doubles while trials pass and halves while they fail, then bisects until the largest number that passes and the
 * smallest that fails are a step apart. Two predictions save trials on the way up; no answer is based on them:
 * <ul>
 * <li>Where a trial that passed left CPU time idle, the search goes farther than to the double: to {@value #AIMED_AT} of the number that
 * would take all CPU time, or the whole latency limit, if each instance took as much, but to no more than {@value #MOST_GROWTH} times as
 * many. With loops that spin without work only the second one is useful.
 * <li>Where the latest two numbers that passed came closer to the limit, it goes no farther than {@value #AIMED_AT} of the way to where a
 * line through both meets it. With loops that spend a latency budget, the tail grows in proportion to the instances.
 * </ul>
 * These are exploratory trials, one for each number. Then the answer is decided: the number that passes is run again, and so is the one
 * that fails.
 * <ul>
 * <li>The first number that fails while its half, or less, passes is run twice before the search bisects: one stall of the machine would
 * otherwise waste most trials.
 * <li>A number that fails its confirmation is unsteady: from then on it counts as failing, and the search continues with smaller numbers.
 * <li>A number that failed and passes when repeated is run a third time. If it passes twice, the machine was disturbed before: single
 * failures of larger numbers are forgotten, and the search goes up.
 * <li>A trial that is inconclusive is repeated, at most {@value #MOST_REPEATS} times, and does not count.
 * </ul>
 * It ends with any results of the machine: no number is counted more than five times between two moves up, each move up is to a number
 * confirmed, and each move down is from one that is never tried again. Confined to one thread.
 */
public final class CapacitySearch {
    static final int MOST_REPEATS = 2;
    static final double AIMED_AT = 0.75;
    static final int MOST_GROWTH = 8;

    private final int start;
    private final int most;
    private final StepWidth width;
    private final NavigableMap<Integer, Tally> tallies = new TreeMap<>();
    private int inconclusiveInARow;
    private int raisedTo;
    private double growth = 2; // of the next number over one that passed, while none fails
    private long reach = Long.MAX_VALUE; // how far the latest two that passed allow to go
    private Passed latest;

    /**
     * Creates a search.
     *
     * @param start first number tried, 1 or more
     * @param most largest number allowed, {@code start} or more
     */
    public CapacitySearch(int start, int most, StepWidth width) {
        if (start < 1 || most < start) {
            throw new IllegalArgumentException("start " + start + " and most " + most + "; 1 <= start <= most");
        }
        this.start = start;
        this.most = most;
        this.width = width;
    }

    /** {@return the next step; null when the search has ended} */
    public Step next() {
        if (inconclusiveInARow > MOST_REPEATS) {
            return null;
        }
        for (Map.Entry<Integer, Tally> each : tallies.entrySet()) {
            if (each.getValue().isOpen()) {
                return new Step(each.getKey(), true);
            }
        }
        if (tallies.isEmpty()) {
            return new Step(start, false);
        }
        int breaks = breaks();
        int holds = holds();
        if (breaks == 0 && holds < most) {
            return new Step(above(holds), false);
        }
        if (breaks > 0 && holds == 0 && breaks > 1) {
            return new Step(breaks / 2, false);
        }
        if (breaks > 0 && holds > 0 && breaks - holds > width.at(holds)) {
            boolean isFirstBracket = breaks >= 2L * holds
                    && tally(breaks).isOneFailure()
                    && tallies.values().stream().noneMatch(each -> each.failures() > 1);
            return new Step(isFirstBracket ? breaks : holds + (breaks - holds) / 2, false);
        }
        return undecided(holds, breaks);
    }

    /** Returns the one of the two numbers that needs a further deciding trial. */
    private Step undecided(int holds, int breaks) {
        if (holds > 0 && !tally(holds).isConfirmed()) {
            return new Step(holds, true);
        }
        return breaks > 0 && !tally(breaks).isRefuted() ? new Step(breaks, true) : null;
    }

    /**
     * Returns a larger number, at least the double; for a search that had its bracket and was sent up again, first one step, then wider
     * ones.
     */
    private int above(int holds) {
        long next =
                raisedTo == 0 ? (long) (growth * holds) : holds + Math.max(width.at(holds), 2L * (holds - raisedTo));
        return (int) Math.min(most, Math.min(next, Math.max(reach, holds + width.at(holds))));
    }

    /** Enters the verdict on the trial of {@link #next}, with unknown use of CPU time. */
    public void enter(Verdict verdict) {
        enter(verdict, null, null);
    }

    /**
     * Takes what the trial of {@link #next} said.
     *
     * @param busyShare part of all CPU time that was used meanwhile, by anyone; null when it is not known
     * @param limitShare part of its latency limit that the worst instance took; null when it is not known
     */
    public void enter(Verdict verdict, Double busyShare, Double limitShare) {
        Step step = next();
        if (step == null) {
            throw new IllegalStateException("the search has ended");
        }
        if (verdict == Verdict.INCONCLUSIVE) {
            inconclusiveInARow++;
            return;
        }
        inconclusiveInARow = 0;
        if (verdict == Verdict.PASS) {
            predict(new Passed(step.instances(), limitShare), busyShare);
        }
        Tally before = tally(step.instances());
        Tally after = before.with(verdict == Verdict.PASS, step.isDeciding());
        tallies.put(step.instances(), after);
        if (before.isOpen() && after.isPassing()) {
            raisedTo = step.instances();
            tallies.tailMap(raisedTo, false).values().removeIf(Tally::isOneFailure);
        }
    }

    private void predict(Passed passed, Double busyShare) {
        growth = 2;
        if (busyShare != null && busyShare < AIMED_AT) {
            double used = passed.limitShare() == null ? busyShare : Math.min(busyShare, passed.limitShare());
            growth = Math.max(2, Math.min(MOST_GROWTH, AIMED_AT / used));
        }
        reach = latest == null ? Long.MAX_VALUE : latest.reachThrough(passed);
        latest = passed;
    }

    public Finding finding() {
        int holds = holds();
        List<Integer> unsteady = tallies.entrySet().stream()
                .filter(each -> each.getValue().isUnsteady())
                .map(Map.Entry::getKey)
                .toList();
        return new Finding(end(), holds, breaks(), tally(holds).isConfirmed(), unsteady);
    }

    private Finding.End end() {
        if (next() != null) {
            return null;
        }
        if (inconclusiveInARow > MOST_REPEATS) {
            return Finding.End.INCONCLUSIVE;
        }
        return holds() == 0 ? Finding.End.NONE : breaks() == 0 ? Finding.End.AT_MOST : Finding.End.FOUND;
    }

    private int breaks() {
        return tallies.entrySet().stream()
                .filter(each -> each.getValue().isFailing())
                .mapToInt(Map.Entry::getKey)
                .findFirst()
                .orElse(0);
    }

    private int holds() {
        int breaks = breaks();
        return tallies.headMap(breaks == 0 ? Integer.MAX_VALUE : breaks, false).descendingMap().entrySet().stream()
                .filter(each -> each.getValue().isPassing())
                .mapToInt(Map.Entry::getKey)
                .findFirst()
                .orElse(0);
    }

    private Tally tally(int instances) {
        return tallies.getOrDefault(instances, Tally.NONE);
    }

    /** A number that passed, and the part of its limit that it took; null when that is not known. */
    private record Passed(int instances, Double limitShare) {
        long reachThrough(Passed next) {
            if (limitShare == null || next.limitShare == null) {
                return Long.MAX_VALUE;
            }
            double perInstance = (next.limitShare - limitShare) / (next.instances - instances);
            boolean isRising = next.instances > instances && perInstance > 0;
            return isRising ? (long) (next.instances + AIMED_AT * (1 - next.limitShare) / perInstance) : Long.MAX_VALUE;
        }
    }

    /**
     * The next trial of a search.
     *
     * @param instances to run
     * @param isDeciding whether the answer is to rest on it, so that it lasts as long as its limits need; else it is
     *     exploratory
     */
    public record Step(int instances, boolean isDeciding) {}

    /**
     * The precision of a search. Immutable, thread-safe.
     *
     * @param share of the number that has passed
     * @param least instances
     */
    public record StepWidth(double share, int least) {
        /** A twentieth: as much as two answers on a quiet machine differ by. */
        public static final StepWidth DEFAULT = new StepWidth(0.05, 1);

        public int at(int instances) {
            return (int) Math.max(least, Math.round(instances * share));
        }
    }

    /**
     * The results of the counted trials of one number. Immutable, thread-safe.
     *
     * @param passes among all of them
     * @param failures among all of them
     * @param decidingPasses among those that an answer may be based on
     * @param decidingFailures among those that an answer may be based on
     * @param isUnsteady whether a number that had passed failed its confirmation: it counts as failing from then on
     */
    record Tally(int passes, int failures, int decidingPasses, int decidingFailures, boolean isUnsteady) {
        static final Tally NONE = new Tally(0, 0, 0, 0, false);

        private static final int TWICE = 2;

        Tally with(boolean isPass, boolean isDeciding) {
            return new Tally(
                    passes + (isPass ? 1 : 0),
                    failures + (isPass ? 0 : 1),
                    decidingPasses + (isPass && isDeciding ? 1 : 0),
                    decidingFailures + (!isPass && isDeciding ? 1 : 0),
                    isUnsteady || (!isPass && isPassing()));
        }

        boolean isPassing() {
            return !isUnsteady && passes > failures;
        }

        boolean isFailing() {
            return isUnsteady || failures > passes;
        }

        /** {@return whether there are as many passes as failures, so that a third trial decides} */
        boolean isOpen() {
            return !isUnsteady && passes == failures && passes > 0;
        }

        boolean isOneFailure() {
            return failures == 1 && passes == 0;
        }

        /** Returns whether the number passed twice, once in a deciding trial. */
        boolean isConfirmed() {
            return isPassing() && passes >= TWICE && decidingPasses > 0;
        }

        /** Returns whether the number failed twice, once in a deciding trial, or gave different verdicts too often. */
        boolean isRefuted() {
            return isUnsteady || isFailing() && failures >= TWICE && decidingFailures > 0;
        }
    }

    /**
     * The result of a search, at its end or when it was stopped.
     *
     * @param end how it ended; null while it has not
     * @param holds the largest known number that passes; 0 for none
     * @param breaks the smallest known number above it that fails; 0 for none
     * @param isConfirmed whether {@code holds} has passed twice
     * @param unsteady numbers that passed, and failed their confirmation
     */
    public record Finding(End end, int holds, int breaks, boolean isConfirmed, List<Integer> unsteady) {
        public enum End {
            /** {@code holds} was confirmed, and {@code breaks}, within a step above it, failed twice. */
            FOUND,
            /** The largest number allowed was confirmed: the capacity may lie above. */
            AT_MOST,
            /** Even one instance fails. */
            NONE,
            /** A number was tried as often as is allowed without a trial that counts. */
            INCONCLUSIVE
        }
    }
}
