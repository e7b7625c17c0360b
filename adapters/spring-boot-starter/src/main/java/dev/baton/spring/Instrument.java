package dev.baton.spring;

import dev.baton.Deployment;
import dev.baton.run.Loops;
import dev.baton.status.ChainStatus;
import java.util.Map;
import java.util.function.Supplier;

/** What watches chains: meters, traces. */
interface Instrument {
    /** Before the first chain starts. */
    default void loops(Loops loops) {}

    /** Before each start of a chain. */
    void deployment(Deployment deployment);

    /**
     * After it.
     *
     * @param partitions the status of each partition; null for a chain without
     */
    default void started(Supplier<ChainStatus> status, Supplier<Map<Integer, ChainStatus>> partitions) {}
}
