package dev.baton.measuring.data;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * What the transport promised while these figures were taken.
 *
 * @param name as typed
 * @param guarantees in words
 * @param properties durability, acknowledgement, batching, copies, configuration, version; in the transport's order
 */
public record TransportProperties(String name, List<String> guarantees, Map<String, String> properties) {
    /** The same with what may be kept of each value that a transport tells of its configuration. */
    public TransportProperties shown(UnaryOperator<String> kept) {
        if (properties == null) {
            return this;
        }
        Map<String, String> all = new LinkedHashMap<>(properties);
        all.replaceAll((key, value) -> kept.apply(value));
        return new TransportProperties(name, guarantees, all);
    }
}
