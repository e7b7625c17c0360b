package dev.baton.operations.line;

import dev.baton.operations.settings.LoopPlan;
import picocli.CommandLine.Option;

/** What a loop without work does: an option that every measuring command shares. */
public final class IdleOption {
    @Option(
            names = "--idle",
            paramLabel = "HOW",
            defaultValue = LoopPlan.DEFAULT_IDLE,
            description = "what a loop without work does: default, spin, yielding, park:TIME or backoff"
                    + " (default: ${DEFAULT-VALUE})")
    private String idle;

    /** As typed. */
    public String words() {
        return idle;
    }
}
