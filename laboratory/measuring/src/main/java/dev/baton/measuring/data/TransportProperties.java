package dev.baton.measuring.data;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The properties of the transport during the measurement.
 *
 * @param name as given on the command line
 * @param guarantees in words
 * @param properties durability, acknowledgement, batching, copies, configuration, version; in the transport's order
 */
public record TransportProperties(String name, List<String> guarantees, Map<String, String> properties) {
    /**
     * Returns a copy without secrets.
     *
     * @param kept returns what may be kept of a value of the transport's configuration
     */
    public TransportProperties shown(UnaryOperator<String> kept) {
        if (properties == null) {
            return this;
        }
        Map<String, String> all = new LinkedHashMap<>(properties);
        all.replaceAll((key, value) -> kept.apply(value));
        return new TransportProperties(name, guarantees, all);
    }
}
