package dev.baton.operations.verify;

import dev.baton.operations.line.ExitCode;
import dev.baton.operations.line.StatusLine;
import dev.baton.operations.line.Subcommand;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Units;
import dev.baton.spi.Transport;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ObjLongConsumer;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code baton verify}: checks that topics contain everything that was written to them. */
@Command(
        name = "verify",
        sortOptions = false,
        description = {
            "Reads topics from their oldest frame to their end and reports frames that are missing, repeated, out of order or"
                    + " damaged, with their sequences. Changes nothing; the topics may be in use.",
            "Chronicle: a directory of topics, or the directory of one; only read, not opened by Chronicle. Kafka: names"
                    + " of topics, or of chains, and --bootstrap-servers. Aeron Archive: such names, and -o driver=DIR."
        },
        footer = {
            "",
            "If neighbouring topics of a chain are read (NAME-0 and NAME-1, or NAME-0@3 and NAME-1@3), each frame of the second has to"
                    + " have its cause in the first.",
            "Exit codes: 0 no damage, 1 damage, 2 usage error, or no such topic, 3 cannot be opened, 130 interrupted."
        })
public final class VerifyCommand extends Subcommand {
    /** The advice behind the findings. */
    public static final String REMEDY =
            "restore what is damaged from a copy, delete the topic while no process uses it, or start"
                    + " the chain with --on-unreadable to skip damaged frames";

    @Mixin
    private StoredTopics topics;

    @Override
    public Integer call() {
        return topics.read(known(), this::verify);
    }

    private int verify(Transport transport, Set<String> chosen) {
        List<TopicCheck> audits;
        try (StatusLine progress = new StatusLine(console().err(), terminal())) {
            ObjLongConsumer<TopicCheck> listener =
                    (audit, ofAbout) -> progress.update(() -> audit.topic() + ": " + Units.count(audit.frames())
                            + " of about " + Units.count(Math.max(audit.frames(), ofAbout)) + " frames");
            Audit audit = new Audit(transport, listener, interruption()::isRequested);
            audits = interruption().reading(() -> audit.of(chosen)).orElse(List.of());
        }
        console().print(lines(audits, interruption().isRequested(), terminal()));
        if (interruption().isRequested()) {
            console().complain("baton: interrupted; the results so far are above");
            return ExitCode.INTERRUPTED;
        }
        return audits.stream().allMatch(TopicCheck::isClean) ? ExitCode.OK : ExitCode.FAILED;
    }

    /** A table with a row per topic, what consumers have acknowledged, all faults, and a last line. */
    private static List<String> lines(List<TopicCheck> audits, boolean isCutOff, Terminal terminal) {
        Table table = new Table(TopicCheck.HEADINGS);
        audits.forEach(audit -> table.row(audit.topic(), audit.cells()));
        TextReport report = new TextReport(terminal).table(table).gap();
        for (TopicCheck audit : audits) {
            if (!audit.acknowledged().isEmpty()) {
                report.text(label(audit) + "acknowledged: ", acknowledged(audit.acknowledged()));
            }
        }
        audits.forEach(audit -> report.texts(label(audit), audit.told()));
        if (!audits.stream().allMatch(TopicCheck::isClean)) {
            report.text("to repair: ", REMEDY);
        }
        return report.line(verdict(audits) + (isCutOff ? " so far" : "")).lines();
    }

    private static String label(TopicCheck audit) {
        return audit.topic() + "  ";
    }

    private static String acknowledged(Map<String, Long> sequences) {
        return sequences.entrySet().stream()
                .map(each -> each.getKey() + " " + (each.getValue() < 0 ? "unknown" : Units.count(each.getValue())))
                .collect(Collectors.joining(", "));
    }

    private static String verdict(List<TopicCheck> audits) {
        long frames = audits.stream().mapToLong(TopicCheck::frames).sum();
        long wrong = audits.stream().filter(audit -> !audit.isClean()).count();
        return Units.counted(audits.size(), "topic") + ", " + Units.count(frames) + " frames: "
                + (wrong == 0 ? "clean" : Units.count(wrong) + " not as written");
    }
}
