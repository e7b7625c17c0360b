package dev.baton.lab.request;

import dev.baton.operations.chains.NamedChain;
import dev.baton.operations.service.ServicePlan;
import dev.baton.operations.settings.Range;

/**
 * How many chains, how long, how heavy.
 *
 * @param services in each chain, {@value #MOST_SERVICES} at most; its topics are one more, so none leaves one topic
 * @param instances chains with topics of their own
 * @param payloadBytes behind the header of each message; of a chain with messages of its own, the most
 * @param chain whose services, messages and check of outputs these are; null: services that forward
 */
public record Shape(int services, int instances, int payloadBytes, NamedChain chain) {
    /** A bound that a typing mistake meets before the machine does. */
    public static final int MOST_SERVICES = ServicePlan.MOST_SERVICES;

    /** As above. */
    public static final int MOST_INSTANCES = ServicePlan.MOST_INSTANCES;

    public Shape {
        Range.check("services", services, 0, MOST_SERVICES);
        Range.check("instances", instances, 1, MOST_INSTANCES);
        Range.check("payload bytes", payloadBytes, 0, Integer.MAX_VALUE);
    }

    /** Chains that forward. */
    public Shape(int services, int instances, int payloadBytes) {
        this(services, instances, payloadBytes, null);
    }

    /** So many chains of the same kind. */
    public Shape of(int otherInstances) {
        return new Shape(services, otherInstances, payloadBytes, chain);
    }

    /** The same without the values that must not reach a file. */
    public Shape redacted() {
        return chain == null ? this : new Shape(services, instances, payloadBytes, chain.redacted());
    }
}
