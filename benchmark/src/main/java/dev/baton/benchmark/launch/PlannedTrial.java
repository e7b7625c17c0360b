package dev.baton.benchmark.launch;

import dev.baton.benchmark.plan.TrialPlan;
import java.util.List;

/**
 * A trial with all that its launch needs. Immutable, thread-safe.
 *
 * @param plan what to measure; its place names no queue directory and no broker yet
 * @param jvm to measure in
 * @param flags of that JVM
 * @param directoryOption the transport's option that gets a fresh directory; null when it has none, or the user gave it
 * @param needsBroker whether a broker of our own is started for it, and handed over as an option
 */
public record PlannedTrial(TrialPlan plan, Jvm jvm, List<String> flags, String directoryOption, boolean needsBroker) {
    public PlannedTrial {
        flags = List.copyOf(flags);
    }
}
