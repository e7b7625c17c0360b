package dev.baton.lab.study.comparison;

import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.terminal.Wrapped;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a gate decided, and why, for a person. Stateless, thread-safe. */
public final class GateReport {
    private GateReport() {}

    /**
     * All lines.
     *
     * @param unmatched what only the second side measured
     */
    public static List<String> lines(List<Gate.Check> checks, List<String> unmatched, Terminal terminal) {
        List<String> lines = new ArrayList<>();
        for (Gate.Check check : checks) {
            String label = check.outcome().name() + "  " + check.series() + " ";
            lines.addAll(Wrapped.lines(label, text(check), terminal.columns()));
        }
        unmatched.forEach(each -> lines.addAll(Wrapped.lines("not compared: ", each, terminal.columns())));
        Gate.Outcome worst = Gate.worst(checks);
        lines.add(terminal.paint().apply(worst.tone, "gate: " + worst.name().toLowerCase(Locale.ROOT)));
        return lines;
    }

    /** One check in words. */
    public static String text(Gate.Check check) {
        Difference difference = check.difference();
        String what = check.subject() + ": ";
        if (check.reason() != null) {
            return what + check.reason();
        }
        if (difference == null) {
            return what + "one side has no such figure";
        }
        String change = what + Units.time(Math.round(difference.before().median())) + " before, "
                + Units.time(Math.round(difference.after().median())) + " after, "
                + String.format(Locale.ROOT, "%+.1f %%", 100 * difference.change());
        if (difference.hasFewSamples()) {
            return change + "; fewer than 100 samples lie above it";
        }
        if (Double.isInfinite(difference.margin())) {
            return change + "; nothing was repeated, so the noise is not known";
        }
        String noise = change + String.format(Locale.ROOT, ", noise %.1f %%", 100 * difference.margin());
        return check.trialsNeeded() == 0
                ? noise
                : noise + "; a machine with two speeds looks like that, too: --trials " + check.trialsNeeded()
                        + " would tell, or fewer against a baseline of more trials";
    }
}
