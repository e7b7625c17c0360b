package dev.baton.lab.command;

import dev.baton.lab.request.Observers.Stages;
import dev.baton.lab.request.Shape;
import dev.baton.operations.line.Checks;
import dev.baton.operations.settings.Subject;
import java.util.List;
import picocli.CommandLine.Option;

/** Whether services time themselves: an option of the commands whose trials run services of ours. */
public final class StageOptions {
    @Option(
            names = "--stages",
            paramLabel = "WHEN",
            defaultValue = "auto",
            description = "whether services time where on its way a message is: on, off, or auto, which is on for one"
                    + " chain at a rate (default: auto)")
    private String stages;

    public Stages stages() {
        return Checks.known("--stages", stages, List.of(Stages.AUTO, Stages.ON, Stages.OFF));
    }

    /** @throws dev.baton.operations.line.CommandException when they were asked for where an engine does not time its services */
    public void requireTimed(List<String> engines) {
        requireTimed(
                engines.equals(List.of(Subject.BATON)),
                "only engine baton times its services; leave --engine or --stages out");
    }

    /** @throws dev.baton.operations.line.CommandException when they were asked for a chain whose services filter or multiply */
    public void requireOneEach(TrialOptions trial, Shape shape) {
        requireTimed(
                trial.isOneEach(shape),
                "of the chain " + shape.chain() + ", whose services filter or multiply, nothing is timed; omit it");
    }

    /** @throws dev.baton.operations.line.CommandException when they were asked for where nothing could be timed */
    public void requireTimed(boolean isTimed, String otherwise) {
        Checks.require(isTimed || stages() != Stages.ON, "--stages on: " + otherwise);
    }
}
