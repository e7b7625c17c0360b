package dev.baton.operations.line;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code baton transports}. */
@Command(
        name = "transports",
        description = "Lists the transports found on the class path, with guarantees and options.")
public final class TransportsCommand implements Callable<Integer> {
    private final Console console;
    private final KnownTransports known;

    public TransportsCommand(Console console, KnownTransports known) {
        this.console = console;
        this.known = known;
    }

    @Override
    public Integer call() {
        console.print(TransportList.lines(
                known.all(), console.terminal().paint(), console.terminal().columns()));
        return ExitCode.OK;
    }
}
