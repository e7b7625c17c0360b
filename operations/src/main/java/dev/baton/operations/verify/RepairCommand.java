package dev.baton.operations.verify;

import dev.baton.operations.line.Checks;
import dev.baton.operations.line.ChosenTransport;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.line.OneTransportOptions;
import dev.baton.operations.line.Subcommand;
import dev.baton.spi.RepairReport;
import dev.baton.spi.RepairingProvider;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code baton repair}: drops what readers of a topic cannot get past. */
@Command(
        name = "repair",
        sortOptions = false,
        description = {
            "Reads a topic to its end and lists what readers cannot get past. Kafka: records that cannot be read, which are frames"
                    + " of an earlier build or another release, and records of other programs; appends one record that"
                    + " declares them dropped, so that readers skip them and the next writer continues behind them."
                    + " Chronicle: frames whose sequences an earlier frame has, as two processes stored them that wrote at"
                    + " once; copies the others to new files, which take the place of the topic's.",
            "Stop the chain first. A topic that is being written or read is refused; over Kafka an idle writer is replaced."
        },
        footer = {
            "",
            "Nothing is deleted: over Chronicle the files of before are kept in another directory. Repairing again changes"
                    + " nothing.",
            "Exit codes: 0 nothing to drop, or dropped; 1 something to drop (--dry-run), or readers would still stop;"
                    + " 2 usage error; 3 no such topic, in use, or cannot be opened."
        })
public final class RepairCommand extends Subcommand {
    @Parameters(
            arity = "1",
            paramLabel = "TOPIC",
            description = "the topic to repair; for a topic with partitions one of them, such as NAME@0")
    private String topic;

    @Option(names = "--dry-run", description = "list what would be dropped and write nothing")
    private boolean isDryRun;

    @Mixin
    private OneTransportOptions transport;

    @Override
    public Integer call() {
        ChosenTransport chosen = transport.choose(known());
        if (!(chosen.provider() instanceof RepairingProvider provider)) {
            throw CommandException.usage("--transport " + chosen.provider().name()
                    + " cannot be repaired; --transport kafka and chronicle can");
        }
        RepairReport report = Checks.possible(() -> provider.repair(chosen.options(), topic, isDryRun));
        console().print(report.lines());
        boolean isDone = report.outcome() != RepairReport.Outcome.WOULD_DROP && report.isReadable();
        return isDone ? ExitCode.OK : ExitCode.FAILED;
    }
}
