package dev.baton.operations.verify;

import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.terminal.Wrapped;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What an audit found, as lines for people. Stateless, thread-safe. */
public final class AuditReport {
    private static final List<String> HEADINGS = List.of(
            "frames", "sequences", "missing", "repeated", "steps back", "damaged", "causes", "checksums", "size");
    private static final int LONGEST_LABEL = 28;

    private AuditReport() {}

    /** A table with a row per topic, what consumers have acknowledged, everything that is wrong, and a last line. */
    public static List<String> lines(List<TopicAudit> audits, Terminal terminal) {
        Table table = new Table(HEADINGS.stream().map(Cell::of).toList());
        audits.forEach(audit -> table.row(audit.topic(), cells(audit)));
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

    private static List<Cell> cells(TopicAudit audit) {
        String causes = audit.causesBack() == 0 && audit.orphans() == 0
                ? "fine"
                : Units.count(audit.causesBack() + audit.orphans()) + " wrong";
        String checksums = audit.failed() > 0
                ? Units.count(audit.failed()) + " of " + Units.count(audit.checked() + audit.failed()) + " wrong"
                : audit.checked() > 0 ? Units.count(audit.checked()) + " fine" : "none";
        return Stream.of(
                        Units.count(audit.frames()),
                        audit.frames() == 0 ? "-" : Units.count(audit.first()) + " - " + Units.count(audit.newest()),
                        Units.count(audit.missing()) + (audit.gaps() > 1 ? " in " + audit.gaps() + " gaps" : ""),
                        Units.count(audit.repeated()),
                        Units.count(audit.stepsBack()),
                        Units.count(audit.damaged()),
                        causes,
                        checksums,
                        Units.bytes(audit.bytes()))
                .map(Cell::of)
                .toList();
    }

    private static String acknowledged(Map<String, Long> sequences) {
        List<String> texts = new ArrayList<>();
        new TreeMap<>(sequences)
                .forEach((consumer, sequence) ->
                        texts.add(consumer + " " + (sequence < 0 ? "unknown" : Units.count(sequence))));
        return String.join(", ", texts);
    }

    private static String verdict(List<TopicAudit> audits) {
        long frames = audits.stream().mapToLong(TopicAudit::frames).sum();
        long wrong = audits.stream().filter(audit -> !audit.isClean()).count();
        String read = Units.count(audits.size()) + (audits.size() == 1 ? " topic, " : " topics, ") + Units.count(frames)
                + " frames: ";
        return read + (wrong == 0 ? "clean" : Units.count(wrong) + " not as written");
    }
}
