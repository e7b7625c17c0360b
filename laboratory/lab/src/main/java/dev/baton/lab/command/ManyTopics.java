package dev.baton.lab.command;

import dev.baton.lab.request.Load;
import dev.baton.operations.options.ChosenTransport;
import java.util.List;

/**
 * Options for many small topics, which a transport advises: its own defaults suit a few chains, and thousands of topics of
 * that size do not fit into memory. What was typed counts before. Stateless, thread-safe.
 */
public final class ManyTopics {
    /** The number of instances from which on a command follows the advice. */
    public static final int MIN_INSTANCES = 100;

    /** The rate that is assumed at saturation, where few messages of each instance are in flight. */
    private static final double NOMINAL_RATE = 1_000;

    private ManyTopics() {}

    /** The transports as they suit so many instances. */
    public static List<ChosenTransport> advised(List<ChosenTransport> chosen, int instances, int payload, Load load) {
        if (instances < MIN_INSTANCES) {
            return chosen;
        }
        double rate = load.isSaturated() ? NOMINAL_RATE : load.ratePerSecond();
        return chosen.stream().map(each -> advised(each, payload, rate)).toList();
    }

    /** A transport as it suits many topics. @param ratePerSecond of frames, in each topic */
    public static ChosenTransport advised(ChosenTransport chosen, int payload, double ratePerSecond) {
        return chosen.withDefaults(chosen.provider().manyTopicsOptions(payload, ratePerSecond));
    }
}
