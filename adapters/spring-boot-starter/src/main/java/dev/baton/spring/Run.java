package dev.baton.spring;

import dev.baton.ChainStatus;
import dev.baton.Deployment;
import dev.baton.PartitionedDeployment;
import dev.baton.RestartPolicy;
import dev.baton.RunningChain;
import dev.baton.RunningPartitions;
import dev.baton.SharedInlet;
import dev.baton.SupervisedChain;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * One start of a chain, with or without partitions and restarts. Thread-safe.
 *
 * @param status no older than this
 * @param partitions the same of each partition; null for a chain without
 * @param close within this time; whether everything was passed on and stored
 * @param inlet opens the only one, with a capacity
 */
record Run(
        Function<Duration, ChainStatus> status,
        Function<Duration, Map<Integer, ChainStatus>> partitions,
        Predicate<Duration> close,
        IntFunction<SharedInlet> inlet) {
    /**
     * Starts a deployment.
     *
     * @param partitions 0 for none
     * @param member null for none
     * @param restarts null for none
     */
    static Run start(Deployment deployment, int partitions, String member, RestartPolicy restarts) {
        if (partitions > 0) {
            PartitionedDeployment partitioned = deployment.partitions(partitions);
            if (member != null) {
                partitioned.member(member);
            }
            if (restarts != null) {
                partitioned.restart(restarts);
            }
            RunningPartitions running = partitioned.start();
            return new Run(running::status, running::statuses, running::close, capacity -> {
                throw new IllegalStateException(
                        "the chain has no inlet here: it has partitions; feed it from a topic that"
                                + " a chain without partitions writes");
            });
        }
        if (restarts != null) {
            SupervisedChain running = deployment.restart(restarts).start();
            return new Run(running::status, null, running::close, running::sharedInlet);
        }
        RunningChain running = deployment.start();
        return new Run(running::status, null, running::close, running::sharedInlet);
    }
}
