package dev.baton.operations.verify;

import dev.baton.operations.line.ExitCode;
import dev.baton.operations.line.StatusLine;
import dev.baton.operations.line.Subcommand;
import dev.baton.operations.terminal.Units;
import dev.baton.spi.Transport;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code baton verify}: whether topics hold what was written to them. */
@Command(
        name = "verify",
        sortOptions = false,
        description = {
            "Reads topics from their oldest frame to their end and tells what is missing, repeated, out of order or"
                    + " damaged, and where. Changes nothing, also while the topics are in use.",
            "Chronicle: a directory of topics, or the directory of one; only read, not opened by Chronicle. Kafka: names"
                    + " of topics, or of chains, and --bootstrap-servers. Aeron Archive: such names, and -o driver=DIR."
        },
        footer = {
            "",
            "A cause that a topic's frame names has to be in the topic before it of the same chain (NAME-0, NAME-1 ...),"
                    + " in the same partition (NAME-0@3, NAME-1@3 ...), if both are read.",
            "Exit codes: 0 clean, 1 not as written, 2 usage error, or no topic there, 3 cannot be opened,",
            "130 interrupted."
        })
public final class VerifyCommand extends Subcommand {
    @Mixin
    private StoredTopics topics;

    @Override
    public Integer call() {
        return topics.read(known(), this::verify);
    }

    private int verify(Transport transport, Set<String> chosen) {
        List<TopicAudit> audits;
        try (StatusLine progress = new StatusLine(console().err(), terminal())) {
            Audit.Listener listener = (topic, frames, ofAbout) -> progress.update(() -> topic + ": "
                    + Units.count(frames) + " of about " + Units.count(Math.max(frames, ofAbout)) + " frames");
            audits = new Audit(transport, listener, interruption()::isRequested).of(chosen);
        }
        console().print(AuditReport.lines(audits, terminal()));
        if (interruption().isRequested()) {
            console().complain("baton: interrupted; what was read so far is above");
            return ExitCode.INTERRUPTED;
        }
        return audits.stream().allMatch(TopicAudit::isClean) ? ExitCode.OK : ExitCode.FAILED;
    }
}
