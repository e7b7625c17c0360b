package dev.baton.operations.options;

import dev.baton.operations.line.ExitCode;
import dev.baton.operations.line.Subcommand;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import dev.baton.spi.Guarantee;
import dev.baton.spi.TransportProvider;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** {@code baton transports}: prints a paragraph per transport, with its guarantees and its options. */
@Command(
        name = "transports",
        commandListHeading = "Tools",
        description = "Lists the transports found on the class path, with guarantees and options.")
public final class TransportsCommand extends Subcommand {
    @Override
    public Integer call() {
        TextReport report = new TextReport(terminal());
        for (TransportProvider provider : known().all()) {
            if (!report.lines().isEmpty()) {
                report.gap();
            }
            report.line(Tone.BOLD, provider.name())
                    .text("  ", provider.summary())
                    .text("  ", "guarantees: " + guarantees(provider));
            OptionLines.add(report, "-o", provider.options());
        }
        console().print(report.lines());
        return ExitCode.OK;
    }

    private static String guarantees(TransportProvider provider) {
        String text =
                provider.guarantees().stream().sorted().map(Guarantee::meaning).collect(Collectors.joining(", "));
        return text.isEmpty() ? "only those of the contract of all transports" : text;
    }
}
