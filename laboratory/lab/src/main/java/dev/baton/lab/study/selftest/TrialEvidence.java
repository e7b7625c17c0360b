package dev.baton.lab.study.selftest;

import dev.baton.lab.launch.ProcessStop;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.InstanceFigures;
import dev.baton.lab.results.IntervalLog;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * The evidence of a laboratory for one trial. Immutable as long as the histograms are not changed.
 *
 * @param response all intervals of the trial's log together, like the next two
 * @param stop time for which the process was stopped from outside
 * @param systemNanos longest response of the measured system in a trial without faults; 0 for Baton's chains, whose time is known
 */
public record TrialEvidence(
        TrialPlan plan,
        TrialResult result,
        Histogram response,
        Histogram service,
        Histogram sendDelay,
        ProcessStop stop,
        long systemNanos) {
    /** A system that takes longer without faults cannot be told from a fault. */
    static final long SLOWEST_SYSTEM_NANOS = 25_000_000;

    /**
     * A chain that lost more than this to the machine is not judged when it fails: beyond, tolerances would say little.
     */
    static final long MOST_DISTURBED_NANOS = 30_000_000;

    /** The evidence of a chain whose own time is known. */
    TrialEvidence(
            TrialPlan plan,
            TrialResult result,
            Histogram response,
            Histogram service,
            Histogram sendDelay,
            ProcessStop stop) {
        this(plan, result, response, service, sendDelay, stop, 0);
    }

    /** Returns the evidence of a system. @param plain a trial of it without faults */
    TrialEvidence beside(TrialEvidence plain) {
        return new TrialEvidence(
                plan,
                result,
                response,
                service,
                sendDelay,
                stop,
                plain.response().getMaxValue());
    }

    /** Reads a trial's interval log. */
    public static TrialEvidence of(TrialPlan plan, TrialResult result, Path folder, ProcessStop stop)
            throws IOException {
        Path log = folder.resolve(Objects.requireNonNullElse(result.hlog(), "no.hlog"));
        return new TrialEvidence(
                plan, result, sum(log, null), sum(log, IntervalLog.SERVICE), sum(log, IntervalLog.SEND_DELAY), stop);
    }

    private static Histogram sum(Path log, String tag) throws IOException {
        Histogram sum = new Histogram(3);
        IntervalLog.addTo(sum, log, tag);
        return sum;
    }

    SelftestFindings witness() {
        return (SelftestFindings) result.findings();
    }

    /** Time that an instance's threads lost to the machine. @param instance from 0 */
    long disturbedNanos(int instance) {
        return Math.max(0, witness().disturbedNanos().get(instance) - stop.leastNanos());
    }

    /** The longest delay of one of its messages, at most twice in a row. @param instance from 0 */
    long heldUpNanos(int instance) {
        boolean wasStopped = stop.leastNanos() > 0; // which hides the longest of the others
        return wasStopped
                ? disturbedNanos(instance)
                : 2 * witness().worstNanos().get(instance);
    }

    /** {@return the lost time of the instance that lost most} */
    long worstDisturbedNanos() {
        return IntStream.range(0, plan.shape().instances())
                .mapToLong(this::disturbedNanos)
                .max()
                .orElse(0);
    }

    /** {@return whether the machine, or a system that is slow without faults, can be the cause of a wrong figure} */
    boolean isDisturbed() {
        boolean isSlow = plan.id().equals(SelftestPlans.PLAIN) && response.getMaxValue() > SLOWEST_SYSTEM_NANOS;
        return result.outcome().verdict() == Verdict.INTERRUPTED
                || worstDisturbedNanos() > MOST_DISTURBED_NANOS
                || isSlow;
    }

    /** Figures of an instance. @param instance from 0; null when the result does not show it */
    InstanceFigures instance(int instance) {
        return result.instances().stream()
                .filter(each -> each.instance() == instance + 1)
                .findFirst()
                .orElse(null);
    }

    Check says(String expected) {
        return says("verdict", expected);
    }

    Check says(String what, String expected) {
        String reasons = String.join("; ", result.outcome().reasons());
        String verdict = result.outcome().verdict() + (reasons.isEmpty() ? "" : ": " + reasons);
        boolean holds = verdict.contains(expected);
        return new Check(what, expected, holds ? expected : verdict, holds);
    }
}
