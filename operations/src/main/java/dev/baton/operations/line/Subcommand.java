package dev.baton.operations.line;

import dev.baton.operations.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.ParentCommand;

/** A command below a {@link RootCommand}, and its environment. Confined to one thread. */
public abstract class Subcommand implements Callable<Integer> {
    @ParentCommand
    private RootCommand root;

    public final Console console() {
        return root.console();
    }

    protected final Terminal terminal() {
        return root.console().terminal();
    }

    /** The transports to choose from. */
    public final KnownTransports known() {
        return root.known();
    }

    /** Ctrl-C. */
    public final Interruption interruption() {
        return root.interruption();
    }
}
