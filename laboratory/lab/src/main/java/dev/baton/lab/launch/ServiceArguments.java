package dev.baton.lab.launch;

import dev.baton.lab.launch.jvm.InstalledJvm;
import dev.baton.lab.launch.jvm.JvmFlags;
import dev.baton.lab.results.PrivateFile;
import dev.baton.operations.Operations;
import dev.baton.operations.chains.ChainOptions;
import dev.baton.operations.chains.ForwardingChain;
import dev.baton.operations.chains.NamedChain;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The command line of {@code baton service} for one service of a chain. It is handed over in a file, as it may hold
 * secrets and so is in no process list. Immutable, thread-safe.
 *
 * @param named whose services run; null: those of the chain that forwards
 * @param services of the whole chain
 * @param only the one to run, counted from 1
 */
public record ServiceArguments(
        String chain,
        NamedChain named,
        int services,
        int only,
        int instances,
        Subject subject,
        LoopPlan loops,
        List<String> further) {
    /** Part of the line that reports the service as ready. */
    public static final String READY = " running: ";

    /**
     * Writes the file and returns the command of a JVM that reads it.
     *
     * @throws CommandException when it cannot be written
     */
    public List<String> command(InstalledJvm jvm, List<String> flags, Path scratch) {
        Path file = scratch.resolve("service-" + only + ".args");
        return CommandException.guarded("cannot start service " + only, () -> {
            PrivateFile.write(file, String.join("\n", lines()) + "\n");
            List<String> shown = JvmFlags.shown(jvm.accepted(flags), scratch.resolve("jvm-flags.args"));
            return jvm.command(shown, Operations.class, "service", "@" + file);
        });
    }

    /** Returns one argument per line, as picocli reads them from a file. */
    private List<String> lines() {
        List<String> lines = new ArrayList<>(List.of(
                "--tied",
                ChainOptions.CHAIN + "=" + (named == null ? ForwardingChain.NAME : named.name()),
                "--name=" + chain,
                "--only=" + only,
                "--instances=" + instances,
                "--transport=" + subject.transport(),
                "--threading=" + loops.threading(),
                "--idle=" + loops.idle()));
        if (named == null) {
            lines.add("--services=" + services);
        } else {
            add(lines, ChainOptions.OPTION, named.options());
        }
        if (loops.latencyBudgetNanos() > 0) {
            lines.add("--latency-budget=" + loops.latencyBudgetNanos() + "ns");
        }
        if (loops.batch() > 0) {
            lines.add("--batch=" + loops.batch());
        }
        lines.addAll(further);
        add(lines, "-o", subject.options());
        return lines;
    }

    private static void add(List<String> lines, String option, Map<String, String> values) {
        values.forEach((key, value) -> {
            lines.add(option);
            lines.add(JvmFlags.quoted(key + "=" + value));
        });
    }
}
