package dev.baton.operations.service;

import dev.baton.ChainStatus;
import dev.baton.RunningChain;
import dev.baton.RunningPartitions;
import dev.baton.manage.ManagedChain;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * One instance that runs here, with or without partitions, and its place in JMX. Thread-safe.
 *
 * @param status asks how it is
 * @param closing ends it within a time; whether everything in hand was passed on
 * @param managed shows it to JMX
 */
record RunningPart(Supplier<ChainStatus> status, Predicate<Duration> closing, ManagedChain managed) {
    static RunningPart of(RunningChain chain, int instance) {
        return new RunningPart(chain::status, chain::close, ManagedChain.register(chain, instance));
    }

    /** With partitions that wait for their process when it is asked to end, if they are to. */
    static RunningPart of(RunningPartitions partitions, int instance, boolean keepsPartitions) {
        return new RunningPart(
                partitions::status,
                keepsPartitions ? partitions::closeForRestart : partitions::close,
                ManagedChain.register(partitions, instance));
    }
}
