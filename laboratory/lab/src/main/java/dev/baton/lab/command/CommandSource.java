package dev.baton.lab.command;

import dev.baton.operations.line.Console;
import java.util.List;
import java.util.concurrent.Callable;

/** A study that can be typed: a role of its kind. Stateless, thread-safe. */
public interface CommandSource {
    /** Makes a command. */
    @FunctionalInterface
    interface Maker {
        Callable<Integer> make(Console console, Workbench bench);
    }

    /** Makes its commands, in the order of the help text. */
    List<Maker> commands();
}
