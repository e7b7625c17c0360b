package dev.baton.operations.chains;

import dev.baton.chains.ChainProvider;
import dev.baton.chains.ProvidedChain;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.line.ForeignJars;
import dev.baton.operations.line.Subcommand;
import dev.baton.operations.options.OptionLines;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.Command;

/** {@code baton chains}: prints a paragraph per chain, with its services, its jar and its options. */
@Command(
        name = "chains",
        description =
                "Lists the chains that --chain can name: the forwarding one, and those of jars in BATON_CLASSPATH.")
public final class ChainsCommand extends Subcommand {
    @Override
    public Integer call() {
        console().print(lines(terminal()));
        return ExitCode.OK;
    }

    /**
     * Lists the chains of the class path, one block of lines for each.
     *
     * @throws CommandException when a jar is wrong
     */
    static List<String> lines(Terminal terminal) {
        TextReport report =
                new TextReport(terminal).line(Tone.BOLD, ForwardingChain.NAME).text("  ", ForwardingChain.SUMMARY);
        for (ChainProvider provider : KnownChains.listed()) {
            report.gap().line(Tone.BOLD, provider.name()).texts("  ", describe(provider));
            OptionLines.add(report, "--chain-option", asked(provider, provider::options));
        }
        return report.lines();
    }

    private static List<String> describe(ChainProvider provider) {
        List<String> lines = new ArrayList<>();
        lines.add(asked(provider, provider::summary));
        try {
            ProvidedChain opened = NamedChain.of(provider.name(), Map.of()).open();
            lines.add("services: " + String.join(", ", opened.chain().services()) + "; payload up to "
                    + opened.maxPayload() + " bytes; " + outputs(opened.outputs()));
        } catch (CommandException refused) {
            if (refused.kind() != CommandException.Kind.USAGE) {
                throw refused;
            }
            lines.add("without options: " + refused.getMessage());
        }
        lines.add("from " + ForeignJars.source(provider));
        return lines;
    }

    private static <T> T asked(ChainProvider provider, Supplier<T> question) {
        try {
            return question.get();
        } catch (RuntimeException | LinkageError failed) {
            throw CommandException.environment(
                    "chain '" + provider.name() + "': " + ForeignJars.describe(provider) + " threw " + failed, failed);
        }
    }

    private static String outputs(ProvidedChain.Outputs outputs) {
        return switch (outputs) {
            case ONE_EACH -> "one output for each input";
            case AT_MOST_ONE -> "one output for each input, or none";
            case ANY -> "any number of outputs for each input";
        };
    }
}
