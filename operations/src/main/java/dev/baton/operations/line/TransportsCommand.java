package dev.baton.operations.line;

import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Wrapped;
import dev.baton.spi.Guarantee;
import dev.baton.spi.TransportProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** {@code baton transports}: a paragraph per transport, with what it promises and what can be set. */
@Command(
        name = "transports",
        description = "Lists the transports found on the class path, with guarantees and options.")
public final class TransportsCommand extends Subcommand {
    @Override
    public Integer call() {
        Paint paint = terminal().paint();
        int width = terminal().columns();
        List<String> lines = new ArrayList<>();
        for (TransportProvider provider : known().all()) {
            if (!lines.isEmpty()) {
                lines.add("");
            }
            lines.add(paint.apply(Tone.BOLD, provider.name()));
            lines.addAll(Wrapped.lines("  ", provider.summary(), width));
            lines.addAll(Wrapped.lines("  ", "guarantees: " + guarantees(provider), width));
            OptionLines.add(lines, "-o", provider.options(), paint, width);
        }
        console().print(lines);
        return ExitCode.OK;
    }

    private static String guarantees(TransportProvider provider) {
        String text =
                provider.guarantees().stream().sorted().map(Guarantee::meaning).collect(Collectors.joining(", "));
        return text.isEmpty() ? "none beyond the contract of all transports" : text;
    }
}
