package dev.baton.lab.trial;

import dev.baton.lab.request.TrialPlan;
import dev.baton.measuring.RecorderPool;

/**
 * What a workload measures with. Thread-safe.
 *
 * @param plan what was asked
 * @param window the moments of the trial, set when the warm-up begins: whoever sends asks it whether it has started
 * @param recorders where latencies go: each recording thread asks for its own
 * @param highestNanos that they can record; what is beyond is clamped and counted
 */
public record Instruments(TrialPlan plan, Window window, RecorderPool recorders, long highestNanos) {}
