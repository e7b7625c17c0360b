package dev.baton.lab.command;

import dev.baton.operations.line.Console;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;

/** A study that can be typed: a role of its kind. Stateless, thread-safe. */
public interface CommandSource {
    /** Makes its commands, in the order of the help text. */
    List<BiFunction<Console, Workbench, ? extends Callable<Integer>>> commands();
}
