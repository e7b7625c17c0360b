package dev.baton.spring;

import dev.baton.Deployment;
import dev.baton.run.Loops;
import dev.baton.status.ChainStatus;
import java.util.Map;
import java.util.function.Supplier;

/** An observer of chains: meters, traces. */
interface Instrument {
    /** Receives the loops before the first chain starts. */
    default void loops(Loops loops) {}

    /** Receives the deployment before each start of a chain. */
    void deployment(Deployment deployment);

    /**
     * Receives the status after each start.
     *
     * @param partitions the status of each partition; null for a chain without
     */
    default void started(Supplier<ChainStatus> status, Supplier<Map<Integer, ChainStatus>> partitions) {}
}
