package dev.baton.lab.study.chaos;

import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The running chain as a fault finds it. Confined to one thread.
 *
 * @param setUp over which it runs
 * @param processes of the chain
 * @param topics of the chain
 * @param arrivals what the receiver was handed
 * @param failures takes what goes wrong besides the fault
 * @param isStopRequested whether somebody wants it all to end
 */
record Scene(
        SetUp setUp,
        ChainProcesses processes,
        ChainTopics topics,
        Arrivals arrivals,
        List<String> failures,
        BooleanSupplier isStopRequested) {}
