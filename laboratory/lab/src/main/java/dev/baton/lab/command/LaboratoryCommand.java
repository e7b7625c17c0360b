package dev.baton.lab.command;

import dev.baton.operations.line.Console;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command of the laboratory, and what it works with. Confined to one thread. */
public abstract class LaboratoryCommand implements Callable<Integer> {
    @Spec
    protected CommandSpec spec;

    protected final Console console;
    protected final Workbench bench;

    protected LaboratoryCommand(Console console, Workbench bench) {
        this.console = console;
        this.bench = bench;
    }
}
