package dev.baton.lab.study.jitter;

import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.jitter.JitterFindings.Cause;
import dev.baton.lab.study.jitter.JitterFindings.Stops;
import dev.baton.lab.study.jitter.JitterFindings.Tally;
import dev.baton.operations.terminal.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The effect of the interval of guaranteed safepoints, as far as the data show it. Stateless, thread-safe.
 *
 * <p>Events caused by stops are counted among the kept ones of a run with safepoints and of one without. The counts differ when their
 * distance exceeds twice the root of their sum, which happens with two counts of the same rate once in twenty times. That is a statement
 * about these two runs only; repetitions are stronger evidence.
 */
public final class JitterAnswer {
    /** HotSpot's name of a safepoint that only the interval requested. */
    private static final String HOUSEKEEPING = "Cleanup";

    private static final double DEVIATIONS = 2;

    private JitterAnswer() {}

    /** The default of this JVM, and the answer where two runs differ in the interval. */
    public static List<String> sentences(List<TrialResult> runs) {
        List<String> sentences = new ArrayList<>();
        Long byDefault = JitterRuns.study(runs.get(0)).jvmDefaultMillis();
        sentences.add(
                byDefault == null
                        ? "This JVM has no interval of guaranteed safepoints that could be changed."
                        : byDefault == 0
                                ? "By default this JVM guarantees no safepoints (GuaranteedSafepointInterval is 0)."
                                : "By default this JVM guarantees a safepoint every "
                                        + Units.typed(Duration.ofMillis(byDefault))
                                        + " if there is something to clean up (GuaranteedSafepointInterval is "
                                        + byDefault + ").");
        List<TrialResult> known = JitterRuns.complete(runs).stream()
                .filter(run -> JitterRuns.millis(run) != null)
                .toList();
        TrialResult off = known.stream()
                .filter(run -> JitterRuns.millis(run) == 0)
                .findFirst()
                .orElse(null);
        TrialResult on = known.stream()
                .filter(run -> JitterRuns.millis(run) > 0)
                .min(Comparator.comparing(JitterRuns::millis))
                .orElse(null);
        if (on != null && off != null) {
            sentences.add(comparison(on, off));
        } else if (runs.size() > 1) {
            sentences.add(
                    "No two runs differ in being with and without guaranteed safepoints, so nothing is compared.");
        }
        return sentences;
    }

    private static String comparison(TrialResult on, TrialResult off) {
        JitterFindings with = JitterRuns.findings(on);
        JitterFindings without = JitterRuns.findings(off);
        Tally more = with.tally(Cause.SAFEPOINT);
        Tally less = without.tally(Cause.SAFEPOINT);
        Stops forced = with.stops(HOUSEKEEPING);
        double noise = DEVIATIONS * Math.sqrt(more.events() + less.events());
        boolean isDifferent = Math.abs(more.events() - less.events()) > noise;
        String counts = Units.count(more.events()) + " of the " + Units.count(with.kept()) + " longest events of "
                + JitterRuns.name(on) + " are safepoints other than collections (" + Units.time(more.nanos())
                + " in all), against " + Units.count(less.events()) + " of " + Units.count(without.kept()) + " of "
                + JitterRuns.name(off) + " (" + Units.time(less.nanos()) + ")";
        if (!isDifferent) {
            return "No significant effect of the interval: " + counts + "; "
                    + (forced.count() == 0
                            ? "the interval caused no safepoint"
                            : "the interval caused " + Units.counted(forced.count(), "safepoint") + ", the longest of "
                                    + Units.time(forced.worstNanos()))
                    + ".";
        }
        return "The interval makes a difference: " + counts + ".";
    }
}
