package dev.baton.lab.command;

import dev.baton.lab.plan.LoopPlan;
import picocli.CommandLine.Option;

/** What a loop without work does: an option that every measuring command shares. */
final class IdleOption {
    @Option(
            names = "--idle",
            paramLabel = "HOW",
            defaultValue = LoopPlan.DEFAULT_IDLE,
            description = "what a loop without work does: default, spin, yielding, park:TIME or backoff"
                    + " (default: ${DEFAULT-VALUE})")
    private String idle;

    /** As typed. */
    String words() {
        return idle;
    }
}
