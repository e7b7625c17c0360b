package dev.baton.operations.line;

import dev.baton.operations.settings.LoopPlan;
import picocli.CommandLine.Option;

/** The idle strategy of loops: an option that every measuring command shares. */
public final class IdleOption {
    @Option(
            names = "--idle",
            paramLabel = "HOW",
            defaultValue = LoopPlan.DEFAULT_IDLE,
            description = "idle strategy of loops: default, spin, yielding, park:TIME or backoff"
                    + " (default: ${DEFAULT-VALUE})")
    private String idle;

    /** {@return the strategy as given on the command line} */
    public String words() {
        return idle;
    }
}
