package dev.baton.lab.reporting;

import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.TransportProperties;
import dev.baton.operations.settings.Secrets;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The guarantees of each transport during the measurement, as figures under different guarantees are not comparable. Stateless,
 * thread-safe.
 */
public final class GuaranteesText {
    private static final String DURABILITY = "durability";
    private static final String IN_MEMORY = "memory only";

    private GuaranteesText() {}

    /** Returns a line for each trial: durability and guarantees, all other properties of a user's system, and the options that were given. */
    public static List<String> lines(List<TrialResult> trials, int width) {
        TrialNames names = TrialNames.among(trials);
        TextReport report = new TextReport(new Paint(false), width);
        for (TrialResult trial : trials) {
            report.text(names.of(trial) + ": ", String.join("; ", facts(trial)));
        }
        boolean isDocumented =
                trials.stream().anyMatch(each -> !each.transport().guarantees().isEmpty()); // not of a user's system
        return isDocumented
                ? report.text("guarantees: --guarantees prints them in full, docs/guarantees.md explains them")
                        .lines()
                : report.lines();
    }

    private static List<String> facts(TrialResult trial) {
        TransportProperties transport = trial.transport();
        Map<String, String> properties = new TreeMap<>(transport.properties());
        String durability = properties.remove(DURABILITY);
        String kind = durability == null ? "unknown" : durability.split("[:;] ", 2)[0];
        List<String> facts = new ArrayList<>();
        facts.add(kind.equals(IN_MEMORY) ? kind : DURABILITY + " " + kind);
        if (transport.guarantees().isEmpty()) {
            properties.forEach((name, value) -> facts.add(name + " " + value));
        } else {
            facts.add(String.join(", ", transport.guarantees()));
        }
        Secrets.redacted(trial.plan().subject().options())
                .forEach((option, value) -> facts.add("option " + option + "=" + value));
        return facts;
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
