package dev.baton.lab.request;

import java.util.List;
import java.util.Objects;

/**
 * A chain whose services run in processes of their own: the trial's JVM keeps its inlet and its outlet.
 *
 * @param chain its name, by which the processes find each other
 * @param pids of the processes; empty until they run
 */
public record Spread(String chain, List<Long> pids) {
    public Spread {
        Objects.requireNonNull(chain, "chain");
        pids = pids == null ? List.of() : List.copyOf(pids);
    }

    /** A name that no other trial's chain has. */
    public static String uniqueChain() {
        return "trial-" + Long.toString(ProcessHandle.current().pid(), 36)
                + Long.toString(System.nanoTime() & 0xFFFFFFFFFFL, 36);
    }
}
