package dev.baton.lab.study.window;

import dev.baton.lab.request.Limit;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.measuring.data.Histograms;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.statistics.Percentiles;
import org.HdrHistogram.Histogram;

/**
 * The steps of several trials of the same job, judged together: their histograms are merged, and no percentile is averaged. A limit is kept
 * when enough steps lie above its percentile and the percentile below the limit. It is exceeded as soon as more steps are over the limit
 * than may lie above the percentile of the whole required number, whatever the missing steps are. Confined to one thread.
 */
final class StepPool {
    private static final int DIGITS = 3;
    private static final double ALL = 100;

    private final WindowStudy study;
    private final Histogram steps = new Histogram(DIGITS);
    int trials; // whose steps are in it
    private long clamped;
    private long highestNanos;

    StepPool(WindowStudy study) {
        this.study = study;
        steps.setAutoResize(true);
    }

    /**
     * Adds all steps of a trial, unless the host spoilt it: it exceeds a limit, and foreign stalls alone would cause that.
     *
     * @return whether they were added
     */
    boolean add(TrialResult trial) {
        Histogram its = Histograms.decoded(trial.histograms().response());
        long count = its.getTotalCount();
        if (study.shown().stream()
                .anyMatch(
                        limit -> over(its, limit) > mostOver(limit, count) && stallsAloneBreak(trial, limit, count))) {
            return false;
        }
        add(its);
        clamped += trial.response().clamped();
        highestNanos = Math.max(highestNanos, trial.response().highestNanos());
        return true;
    }

    /** Adds all steps of a trial, in ns, which nothing spoilt. */
    void add(Histogram ofTrial) {
        steps.add(ofTrial);
        trials++;
    }

    /** A stall of L puts L - limit out of the time measured over the limit. */
    private boolean stallsAloneBreak(TrialResult trial, Limit limit, long count) {
        if (trial.machine() == null || trial.machine().host() == null) {
            return false;
        }
        double overNanos = trial.machine().host().stalls().stream()
                .filter(stall -> stall.cause().isForeign())
                .mapToLong(stall -> Math.max(0, stall.nanos() - limit.nanos()))
                .sum();
        return overNanos > 0 && overNanos >= (1 - limit.percentile() / ALL) * count * study.stepNanos();
    }

    /**
     * Returns the verdict of the steps so far; null when more are needed.
     *
     * @param samples above the percentile on which a verdict is based
     */
    Verdict judge(int samples) {
        boolean isUndecided = false;
        for (Limit limit : study.shown()) {
            long needed = needed(limit, samples);
            long judged = Math.max(needed, steps.getTotalCount());
            if (over(limit) > mostOver(limit, judged)) {
                return Verdict.FAIL;
            }
            isUndecided |= steps.getTotalCount() < needed;
        }
        return isUndecided ? null : Verdict.PASS;
    }

    /** Steps that a verdict on a limit needs. */
    static long needed(Limit limit, int samples) {
        return limit.runForNanos(samples, 1e9); // of one step in each nanosecond
    }

    private static long mostOver(Limit limit, long count) {
        return limit.percentile() == ALL ? 0 : Percentiles.samplesAbove(limit.percentile(), count);
    }

    /** Steps that were not within a limit. */
    long over(Limit limit) {
        return over(steps, limit);
    }

    private static long over(Histogram histogram, Limit limit) {
        long within = histogram.lowestEquivalentValue(limit.nanos()) - 1;
        long count = histogram.getTotalCount();
        if (count == 0 || within < 0) {
            return count;
        }
        return within >= histogram.getMaxValue() ? 0 : count - histogram.getCountBetweenValues(0, within);
    }

    Latency figures() {
        long count = steps.getTotalCount();
        return Percentiles.of(steps, clamped, highestNanos, count * study.stepNanos(), study.stepsPerSecond());
    }
}
