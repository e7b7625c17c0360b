package dev.baton.lab.command.load;

import dev.baton.lab.command.TrialOptions;
import dev.baton.lab.request.Observers.Stages;
import dev.baton.lab.request.Shape;
import dev.baton.operations.line.Checks;
import dev.baton.operations.settings.Subject;
import java.util.List;
import picocli.CommandLine.Option;

/** The timing of services: an option of the commands whose trials run services of ours. */
public final class StageOptions {
    @Option(
            names = "--stages",
            paramLabel = "WHEN",
            defaultValue = "auto",
            description = "timing of messages in services: on, off, or auto, which is on for one"
                    + " chain at a rate (default: auto)")
    private String stages;

    public Stages stages() {
        return Checks.known("--stages", stages, List.of(Stages.AUTO, Stages.ON, Stages.OFF));
    }

    /**
     * Requires engines that time their services.
     *
     * @throws dev.baton.operations.line.CommandException when the timing is requested and an engine does not time them
     */
    public void requireTimed(List<String> engines) {
        requireTimed(
                engines.equals(List.of(Subject.BATON)),
                "only engine baton times its services; omit --engine or --stages");
    }

    /**
     * Requires services with one output for each input.
     *
     * @throws dev.baton.operations.line.CommandException when the timing is requested for a chain whose services filter or multiply
     */
    public void requireOneEach(TrialOptions trial, Shape shape) {
        requireTimed(
                trial.isOneEach(shape),
                "of the chain " + shape.chain() + ", whose services filter or multiply, nothing is timed; omit it");
    }

    /**
     * Requires services that can be timed.
     *
     * @throws dev.baton.operations.line.CommandException when the timing is requested and none can be timed
     */
    public void requireTimed(boolean isTimed, String otherwise) {
        Checks.require(isTimed || stages() != Stages.ON, "--stages on: " + otherwise);
    }
}
