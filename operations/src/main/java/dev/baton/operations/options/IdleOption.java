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
                "spin, yielding, park:TIME or backoff (default: ${DEFAULT-VALUE})",
                "idle strategy of loops; default: that of each engine"
            })
    private String idle;

    /** {@return the strategy as given on the command line} */
    public String words() {
        return idle;
    }
}
