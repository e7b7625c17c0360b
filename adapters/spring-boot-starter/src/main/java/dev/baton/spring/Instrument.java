package dev.baton.spring;

import dev.baton.Deployment;
import dev.baton.RunningChain;
import dev.baton.run.Loops;

/** An observer of chains: meters, traces. */
interface Instrument {
    /** Receives the loops before the first chain starts. */
    default void loops(Loops loops) {}

    /** Receives the deployment before each start of a chain. */
    void deployment(Deployment deployment);

    /** Receives the chain after each start. */
    default void started(RunningChain chain) {}
}
