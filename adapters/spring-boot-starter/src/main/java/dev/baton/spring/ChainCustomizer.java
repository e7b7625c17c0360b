package dev.baton.spring;

import dev.baton.Chain;
import dev.baton.Deployment;

/**
 * Completes the deployment of chains before they start: sources, consumers of their outputs, error policies. Beans of this type are called
 * for each chain, in the order of {@code @Order}, after properties were applied.
 *
 * <p>Called at each start of the application's lifecycle, by the thread that starts it.
 */
@FunctionalInterface
public interface ChainCustomizer {
    /**
     * Changes the deployment of a chain.
     *
     * @param chain that is about to start, identified by its name
     * @param deployment neither started nor split into partitions
     */
    void customize(Chain chain, Deployment deployment);
}
