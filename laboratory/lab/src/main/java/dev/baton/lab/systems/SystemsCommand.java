package dev.baton.lab.systems;

import dev.baton.measuring.system.SystemUnderTest;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.line.ForeignJars;
import dev.baton.operations.line.Subcommand;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import picocli.CommandLine.Command;

/** {@code baton systems}: a paragraph per system, with its jar and its options. */
@Command(
        name = "systems",
        description = "Lists the systems of jars in BATON_CLASSPATH, which --engine system:NAME measures.")
public final class SystemsCommand extends Subcommand {
    @Override
    public Integer call() {
        Collection<SystemUnderTest> systems = ForeignSystem.onClassPath().values();
        TextReport report = new TextReport(terminal());
        if (systems.isEmpty()) {
            report.text(
                    "",
                    "No system is known. docs/measure-your-own.md describes how to write one; its jar and all jars"
                            + " that it depends on go into BATON_CLASSPATH.");
        }
        for (SystemUnderTest each : systems) {
            report.line(Tone.BOLD, each.describe().name())
                    .texts("  ", List.of(each.describe().summary(), "from " + ForeignJars.source(each)));
            new TreeMap<>(each.describe().options())
                    .forEach((key, value) -> report.text(
                            "  ", ForeignSystem.OPTION + " " + key + "=" + (value.isEmpty() ? "..." : value)));
        }
        console().print(report.lines());
        return ExitCode.OK;
    }
}
