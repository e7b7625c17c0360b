package dev.baton.operations.line;

import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The root of a command line, and the environment of its commands. Without a command it prints an overview. */
public abstract class RootCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    private final Console console;
    private final KnownTransports known;
    private final Interruption interruption;

    protected RootCommand(Console console, KnownTransports known, Interruption interruption) {
        this.console = console;
        this.known = known;
        this.interruption = interruption;
    }

    public final Console console() {
        return console;
    }

    /** The transports to choose from. */
    public final KnownTransports known() {
        return known;
    }

    /** Ctrl-C. */
    public final Interruption interruption() {
        return interruption;
    }

    @Override
    public final Integer call() {
        spec.commandLine().usage(spec.commandLine().getOut());
        return ExitCode.OK;
    }
}
