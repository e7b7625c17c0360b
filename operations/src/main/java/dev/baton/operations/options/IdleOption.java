package dev.baton.operations.options;

import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import dev.baton.operations.settings.LoopPlan;
import picocli.CommandLine.Option;

/** The idle strategy of loops: an option of every command that runs chains. */
@OptionGroup(Heading.RUNS)
public final class IdleOption {
    @Option(
            names = "--idle",
            paramLabel = "HOW",
            defaultValue = LoopPlan.DEFAULT_IDLE,
            description = {
                "idle strategy of loops (default: ${DEFAULT-VALUE})",
                "default, spin, yielding, park:TIME or backoff"
            })
    private String idle;

    /** {@return the strategy as given on the command line} */
    public String words() {
        return idle;
    }
}
