package dev.baton.operations.verify;

import dev.baton.operations.line.ChosenTransport;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.line.OneTransportOptions;
import dev.baton.operations.line.Refusal;
import dev.baton.spi.RepairReport;
import dev.baton.spi.RepairingProvider;
import dev.baton.spi.TransportException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code baton repair}: has a topic go on that holds records which cannot be read. */
@Command(
        name = "repair",
        sortOptions = false,
        description = {
            "Reads a topic of Kafka to its end and tells which of its records cannot be read: frames of an earlier build or of"
                    + " another release, records of other programs. Appends one record that declares them dropped: readers"
                    + " step over them, and the next writer goes on behind them.",
            "Stop the chain first. A topic whose end or consumers move is refused; a writer that idles is replaced."
        },
        footer = {
            "",
            "Nothing is deleted. Repairing again changes nothing.",
            "Exit codes: 0 nothing to drop, or dropped; 1 something to drop (--dry-run), or readers stop at the topic all the"
                    + " same; 2 usage error; 3 no such topic, in use, or cannot be opened."
        })
public final class RepairCommand implements Callable<Integer> {
    @Parameters(arity = "1", paramLabel = "TOPIC", description = "what to repair; of a topic with lanes one, NAME@0")
    private String topic;

    @Option(names = "--dry-run", description = "tell what would be dropped, and write nothing")
    private boolean isDryRun;

    @Mixin
    private OneTransportOptions transport;

    private final Console console;
    private final KnownTransports known;

    public RepairCommand(Console console, KnownTransports known) {
        this.console = console;
        this.known = known;
    }

    @Override
    public Integer call() {
        ChosenTransport chosen = transport.choose(known);
        if (!(chosen.provider() instanceof RepairingProvider provider)) {
            throw new Refusal(
                    Refusal.Kind.USAGE,
                    "--transport " + chosen.provider().name() + " cannot be repaired; --transport kafka can");
        }
        try {
            RepairReport report = provider.repair(chosen.options(), topic, isDryRun);
            console.print(report.lines());
            boolean isDone = report.outcome() != RepairReport.Outcome.WOULD_DROP && report.isReadable();
            return isDone ? ExitCode.OK : ExitCode.FAILED;
        } catch (IllegalArgumentException wrong) {
            throw new Refusal(Refusal.Kind.USAGE, wrong.getMessage(), wrong);
        } catch (TransportException failed) {
            throw new Refusal(Refusal.Kind.ENVIRONMENT, failed.getMessage(), failed);
        }
    }
}
