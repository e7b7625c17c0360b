package dev.baton.operations.verify;

import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.terminal.Wrapped;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What an audit found, as lines for people. Stateless, thread-safe. */
public final class AuditReport {
    private static final int LONGEST_LABEL = 28;

    private AuditReport() {}

    /** A table with a row per topic, what consumers have acknowledged, everything that is wrong, and a last line. */
    public static List<String> lines(List<TopicAudit> audits, Terminal terminal) {
        Table table = new Table(TopicAudit.HEADINGS);
        audits.forEach(audit -> table.row(audit.topic(), audit.cells()));
        List<String> lines = new ArrayList<>(table.lines(terminal.paint(), terminal.columns()));
        lines.add("");
        for (TopicAudit audit : audits) {
            if (!audit.acknowledged().isEmpty()) {
                lines.addAll(Wrapped.lines(
                        label(audit) + "acknowledged: ", acknowledged(audit.acknowledged()), terminal.columns()));
            }
        }
        for (TopicAudit audit : audits) {
            audit.told().forEach(told -> lines.addAll(Wrapped.lines(label(audit), told, terminal.columns())));
        }
        lines.add(verdict(audits));
        return lines;
    }

    private static String label(TopicAudit audit) {
        String topic = audit.topic();
        return (topic.length() > LONGEST_LABEL ? topic.substring(0, LONGEST_LABEL) : topic) + "  ";
    }

    private static String acknowledged(Map<String, Long> sequences) {
        return sequences.entrySet().stream()
                .map(each -> each.getKey() + " " + (each.getValue() < 0 ? "unknown" : Units.count(each.getValue())))
                .collect(Collectors.joining(", "));
    }

    private static String verdict(List<TopicAudit> audits) {
        long frames = audits.stream().mapToLong(TopicAudit::frames).sum();
        long wrong = audits.stream().filter(audit -> !audit.isClean()).count();
        return Units.counted(audits.size(), "topic") + ", " + Units.count(frames) + " frames: "
                + (wrong == 0 ? "clean" : Units.count(wrong) + " not as written");
    }
}
