package dev.baton.lab.study.chaos;

import java.util.Map;

/**
 * What a process at one end of the chain does, as it reads it from a file. Immutable, thread-safe.
 *
 * @param chain its name
 * @param services of the chain
 * @param transport the name of its provider
 * @param options of the transport
 * @param seed of the payloads
 * @param journal where the receiver notes what it was handed; null for the sender
 * @param intervalNanos from one message to the next
 * @param deleted numbers of messages that were deleted with the first topic: the next one is the first to give
 * @param baseNanos of the sender's schedule, 0 when it has not begun yet
 */
record EndPlan(
        String chain,
        int services,
        String transport,
        Map<String, String> options,
        long seed,
        String journal,
        long intervalNanos,
        long deleted,
        long baseNanos) {
    EndPlan {
        options = Map.copyOf(options);
    }

    /** The same for a sender whose schedule began at this moment. */
    EndPlan since(long nanos) {
        return new EndPlan(chain, services, transport, options, seed, journal, intervalNanos, deleted, nanos);
    }
}
