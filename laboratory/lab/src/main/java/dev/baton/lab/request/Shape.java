package dev.baton.lab.request;

import dev.baton.operations.service.ServicePlan;
import dev.baton.operations.settings.Range;

/**
 * How many chains, how long, how heavy.
 *
 * @param services in each chain, {@value #MOST_SERVICES} at most; its topics are one more, so none leaves one topic
 * @param instances chains with topics of their own
 * @param payloadBytes behind the header of each message
 */
public record Shape(int services, int instances, int payloadBytes) {
    /** A bound that a typing mistake meets before the machine does. */
    public static final int MOST_SERVICES = ServicePlan.MOST_SERVICES;

    /** As above. */
    public static final int MOST_INSTANCES = ServicePlan.MOST_INSTANCES;

    public Shape {
        Range.check("services", services, 0, MOST_SERVICES);
        Range.check("instances", instances, 1, MOST_INSTANCES);
        Range.check("payload bytes", payloadBytes, 0, Integer.MAX_VALUE);
    }
}
