package dev.baton.lab.request;

import dev.baton.operations.chains.NamedChain;
import dev.baton.operations.service.ServicePlan;
import dev.baton.operations.settings.Range;

/**
 * The number, the length and the load of chains.
 *
 * @param services in each chain, {@value #MOST_SERVICES} at most; its topics are one more, so none leaves one topic
 * @param instances chains with topics of their own
 * @param payloadBytes after the header of each message; for a chain with messages of its own, the most
 * @param chain whose services, messages and check of outputs these are; null: services that forward
 */
public record Shape(int services, int instances, int payloadBytes, NamedChain chain) {
    /** A bound that a typing mistake meets before the machine does. */
    public static final int MOST_SERVICES = ServicePlan.MOST_SERVICES;

    /** The greatest number of instances, as above. */
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

    /** Returns a copy with this number of instances. */
    public Shape of(int otherInstances) {
        return new Shape(services, otherInstances, payloadBytes, chain);
    }

    /** Returns the shape without secret values. */
    public Shape redacted() {
        return chain == null ? this : new Shape(services, instances, payloadBytes, chain.redacted());
    }
}
