package dev.baton.lab.result;

import dev.baton.lab.plan.Secrets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The fairness ledger: what the transport promised while these figures were taken.
 *
 * @param name as typed
 * @param guarantees in words
 * @param facts durability, acknowledgement, batching, copies, configuration, version; in the transport's order
 */
public record TransportFacts(String name, List<String> guarantees, Map<String, String> facts) {
    /** The same with secrets hidden that a transport tells of its configuration. */
    public TransportFacts without(Secrets secrets) {
        if (facts == null) {
            return this;
        }
        Map<String, String> shown = new LinkedHashMap<>(facts);
        shown.replaceAll((key, value) -> Secrets.redacted(secrets.hiddenIn(value)));
        return new TransportFacts(name, guarantees, shown);
    }
}
