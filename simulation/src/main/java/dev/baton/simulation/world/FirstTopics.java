package dev.baton.simulation.world;

import dev.baton.simulation.plan.Rule;
import dev.baton.spi.Cause;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The check of the first topics of a chain's partitions: they contain the sent messages, each once and in order. Single-threaded. */
final class FirstTopics {
    private final Account account;
    private final Set<Long> offered;
    private final Set<Long> takenBack;
    private final Map<Long, Integer> found = new HashMap<>(); // payloads
    private final Set<Long> dropped = new HashSet<>();
    private final List<Long> repeated = new ArrayList<>();

    /**
     * Creates a check over payloads.
     *
     * @param offered that were sent
     * @param takenBack sent by a callback that has thrown
     */
    FirstTopics(Account account, Set<Long> offered, Set<Long> takenBack) {
        this.account = account;
        this.offered = offered;
        this.takenBack = takenBack;
    }

    /** Reads one of the topics. */
    void check(SimTopic first) {
        Map<Long, Long> newest = new HashMap<>(); // by incarnation
        for (SimTopic.Entry entry : first.log) {
            if (entry.isMarker()) {
                continue;
            }
            if (!entry.counts) {
                dropped.add(entry.payload);
                continue;
            }
            if (!offered.contains(entry.payload) || takenBack.contains(entry.payload)) {
                account.violate(
                        Rule.INVENTED,
                        "topic " + first.name + " holds " + entry.payload + ", which was never sent",
                        null);
            }
            if (entry.cause != 0 || Cause.isOfTick(entry.cause)) {
                account.violate(Rule.INVENTED, "topic " + first.name + " holds a frame with a cause", null);
            }
            if (found.merge(entry.payload, 1, Integer::sum) > 1) {
                repeated.add(entry.payload);
            }
            Long before = newest.put(entry.author.id(), entry.payload);
            if (before != null && before >= entry.payload) {
                account.violate(
                        Rule.ORDER, "topic " + first.name + " holds " + entry.payload + " behind " + before, null);
            }
        }
    }

    /** Checks the confirmed sequences after all topics were read. */
    void check(List<Long> confirmed) {
        for (long payload : confirmed) {
            if (!found.containsKey(payload) && !dropped.contains(payload)) {
                account.violate(Rule.LOST, "message " + payload + " was confirmed and is not stored", null);
            }
        }
        for (long payload : repeated) {
            account.violate(
                    Rule.REPEATED,
                    "message " + payload + " is in the first topic " + found.get(payload) + " times",
                    null);
        }
    }
}
