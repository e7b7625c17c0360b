package dev.baton.lab.reporting;

import dev.baton.lab.results.Incident;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.terminal.Wrapped;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The reasons of trials that did not pass, the affected messages, and figures that could not be measured. */
public final class Verdicts {
    /** The word for a pass without limits: everything arrived, at the requested rate. */
    private static final String DELIVERED = "delivered";

    /** The word for a pass without messages. */
    private static final String MEASURED = "measured";

    /** The mark of a verdict that rests on figures in parentheses. */
    private static final String PROVISIONAL = " (provisional)";

    private static final int MOST_INCIDENTS = 5;

    private Verdicts() {}

    /** Returns the word for a trial's verdict: {@code PASS} only where there was a limit to keep; marked where it is provisional. */
    public static String word(TrialResult trial) {
        Verdict verdict = trial.outcome().verdict();
        return verdict == Verdict.PASS && !trial.plan().isJudged()
                ? trial.plan().load().isNone() ? MEASURED : DELIVERED
                : verdict.name() + (trial.isProvisional() ? PROVISIONAL : "");
    }

    /** Lines for all trials that have something to explain. */
    public static List<String> lines(List<TrialResult> trials, int width) {
        return lines(trials, TrialNames.among(trials)::of, Verdicts::text, width);
    }

    /** Returns the lines with the command's own names of trials, and its own words for incidents. */
    public static List<String> lines(
            List<TrialResult> trials,
            Function<TrialResult, String> names,
            Function<Incident, String> incidents,
            int width) {
        List<String> lines = new ArrayList<>();
        for (TrialResult trial : trials) {
            String name = names.apply(trial);
            if (trial.outcome().verdict() != Verdict.PASS
                    || !trial.outcome().reasons().isEmpty()) {
                lines.addAll(Wrapped.lines(name + " " + word(trial) + ": ", reasons(trial), width));
            }
            trial.delivery().incidents().stream()
                    .limit(MOST_INCIDENTS)
                    .forEach(incident -> lines.addAll(Wrapped.lines("  ", incidents.apply(incident), width)));
            if (trial.machine() != null) {
                trial.machine()
                        .absent()
                        .forEach(absent -> lines.addAll(Wrapped.lines(name + ", not measured: ", absent, width)));
            }
        }
        return lines;
    }

    /** Returns all reasons of one trial in a line. */
    public static String reasons(TrialResult trial) {
        return trial.outcome().reasons().isEmpty()
                ? "no reason given"
                : String.join("; ", trial.outcome().reasons());
    }

    /** Returns the first reason of one trial, and the number of the others. */
    public static String firstReason(TrialResult trial) {
        List<String> reasons = trial.outcome().reasons();
        return reasons.size() < 2 ? reasons(trial) : reasons.get(0) + " (and " + (reasons.size() - 1) + " more)";
    }

    /** Describes a fault with its message. */
    public static String text(Incident incident) {
        return text(incident, "instance", "message");
    }

    /** Describes a fault with its message, by other words for an instance and a message. */
    public static String text(Incident incident, String instance, String message) {
        return String.format(
                Locale.ROOT,
                "%s: %s %d, %s %,d%s",
                incident.kind().name().toLowerCase(Locale.ROOT),
                instance,
                incident.instance(),
                message,
                incident.sequence(),
                incident.detail() == null || incident.detail().isEmpty() ? "" : ": " + incident.detail());
    }
}
