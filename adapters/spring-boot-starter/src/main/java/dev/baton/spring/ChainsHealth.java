package dev.baton.spring;

import dev.baton.status.ChainStatus;
import dev.baton.status.PartStatus;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The health of all chains, for the indicators of either Spring Boot.
 *
 * @param status DOWN when a chain has failed, OUT_OF_SERVICE when one is not ready, otherwise UP
 * @param details a line for each chain
 */
record ChainsHealth(String status, Map<String, Object> details) {
    static ChainsHealth of(BatonChains chains) {
        String status = chains.isRunning() ? "UP" : "OUT_OF_SERVICE";
        Map<String, Object> details = new LinkedHashMap<>();
        for (ChainStatus each : chains.status().values()) {
            if (each.phase() == ChainStatus.Phase.FAILED) {
                status = "DOWN";
            } else if (!BatonAvailability.isReady(each) && status.equals("UP")) {
                status = "OUT_OF_SERVICE";
            }
            details.put(each.chain().name(), details(each));
        }
        return new ChainsHealth(status, details);
    }

    private static Map<String, Object> details(ChainStatus chain) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("phase", chain.phase().toString());
        if (chain.isComplete() && chain.backlog() != PartStatus.UNKNOWN) {
            details.put("backlog", chain.backlog());
        }
        chain.blocked().ifPresent(part -> details.put("blocked", part.name() + " for " + part.duration()));
        chain.health().reason().ifPresent(reason -> details.put("reason", reason));
        chain.failure().ifPresent(failure -> details.put("failure", failure.toString()));
        return details;
    }
}
