package dev.baton.lab.reporting;

import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.TransportProperties;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import java.util.List;
import java.util.Map;

/**
 * The guarantees of each transport during the measurement, as figures under different guarantees are not comparable. Stateless,
 * thread-safe.
 */
public final class GuaranteesText {
    private GuaranteesText() {}

    /** Returns a line for each trial: durability and guarantees. */
    public static List<String> lines(List<TrialResult> trials, int width) {
        TrialNames names = TrialNames.among(trials);
        TextReport report = new TextReport(new Paint(false), width);
        for (TrialResult trial : trials) {
            TransportProperties transport = trial.transport();
            String durability = transport.properties().getOrDefault("durability", "durability unknown");
            String guarantees = String.join(", ", transport.guarantees());
            report.text(
                    names.of(trial) + ": ",
                    durability.split("[:;] ", 2)[0] + (guarantees.isEmpty() ? "" : "; " + guarantees));
        }
        boolean isDocumented =
                trials.stream().anyMatch(each -> !each.transport().guarantees().isEmpty()); // not of a user's system
        return isDocumented
                ? report.text("guarantees: docs/guarantees.md; --guarantees prints them in full")
                        .lines()
                : report.lines();
    }

    /** Returns all properties of the transport of each trial. */
    public static List<String> whole(List<TrialResult> trials, Paint paint, int width) {
        TrialNames names = TrialNames.among(trials);
        TextReport report = new TextReport(paint, width);
        for (TrialResult trial : trials) {
            TransportProperties transport = trial.transport();
            report.line(Tone.BOLD, names.of(trial));
            if (!transport.guarantees().isEmpty()) {
                report.text("  ", String.join(", ", transport.guarantees()));
            }
            int widest = transport.properties().keySet().stream()
                    .mapToInt(String::length)
                    .max()
                    .orElse(0);
            for (Map.Entry<String, String> fact : transport.properties().entrySet()) {
                String label =
                        "  " + fact.getKey() + " ".repeat(widest - fact.getKey().length()) + "  ";
                report.text(label, fact.getValue());
            }
        }
        return report.lines();
    }
}
