package dev.baton.lab.study.load;

import dev.baton.lab.trial.Workload;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Who sends a request when the one before is answered, and whom they ask. Threads as in {@link Workload}.
 *
 * @param workload that they make
 * @param firstAnswer when the first answer came, on the trial's clock; empty before. For any thread
 * @param description what they are and where they run, in a line; after they have stopped
 */
record Clients(Workload workload, Supplier<OptionalLong> firstAnswer, Supplier<String> description) {}
