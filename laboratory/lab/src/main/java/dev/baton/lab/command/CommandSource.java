package dev.baton.lab.command;

import dev.baton.lab.results.StudyKind;
import dev.baton.operations.line.CommandLines;
import dev.baton.operations.line.Console;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** A study that can be typed: a role of its kind. Stateless, thread-safe. */
public interface CommandSource extends StudyKind {
    /** Makes a command. */
    @FunctionalInterface
    interface Maker {
        Callable<Integer> make(Console console, Workbench bench);
    }

    /** Makes its commands, in the order of the help text. */
    List<Maker> commands();

    /** Makes a command line of studies, for a command that runs others, for one use. */
    static CommandLine commandLine(Console console, Workbench bench, Predicate<CommandSource> isOffered) {
        @Command(name = "baton")
        final class Root {}
        CommandLine line = new CommandLine(new Root());
        StudyKind.all(CommandSource.class).stream()
                .filter(isOffered)
                .forEach(kind -> kind.commands().forEach(each -> line.addSubcommand(each.make(console, bench))));
        return CommandLines.configure(line, console);
    }
}
