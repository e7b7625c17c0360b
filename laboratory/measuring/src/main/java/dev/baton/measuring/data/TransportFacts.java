package dev.baton.measuring.data;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The fairness ledger: what the transport promised while these figures were taken.
 *
 * @param name as typed
 * @param guarantees in words
 * @param facts durability, acknowledgement, batching, copies, configuration, version; in the transport's order
 */
public record TransportFacts(String name, List<String> guarantees, Map<String, String> facts) {
    /** The same with what may be kept of each value that a transport tells of its configuration. */
    public TransportFacts shown(UnaryOperator<String> kept) {
        if (facts == null) {
            return this;
        }
        Map<String, String> all = new LinkedHashMap<>(facts);
        all.replaceAll((key, value) -> kept.apply(value));
        return new TransportFacts(name, guarantees, all);
    }
}
