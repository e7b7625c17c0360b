package dev.baton.operations.top;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.manage.StorageWatch.StorageGrowth;
import dev.baton.operations.service.Health;
import dev.baton.run.Loops.LoopStatus;
import dev.baton.status.PartStatus;
import dev.baton.status.PartStatus.InputStatus;
import dev.baton.status.PartStatus.OutputStatus;
import dev.baton.status.PartStatus.SnapshotStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The answer of one process at one time. Components that an older process does not send are unknown. Immutable, thread-safe.
 *
 * @param nanos time of the query
 * @param problem why there is no answer; null where there is one
 * @param parts with {@link #UNKNOWN} in place of unknown numbers
 * @param disk null where it is unknown
 * @param counters of the server or driver that carries the topics, by name and in order
 */
record ProcessReading(
        long nanos,
        String problem,
        String service,
        String state,
        boolean isHealthy,
        long backlog,
        long restarts,
        String lastError,
        String blocked,
        long blockedNanos,
        List<PartStatus> parts,
        List<LoopStatus> loops,
        StorageGrowth disk,
        Map<String, Long> counters) {
    static final long UNKNOWN = PartStatus.UNKNOWN;

    private static final SnapshotStatus NO_SNAPSHOT =
            new SnapshotStatus(false, false, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, false, UNKNOWN, UNKNOWN);
    private static final InputStatus NO_INPUT = new InputStatus("", UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);
    private static final OutputStatus NO_OUTPUT = new OutputStatus("", UNKNOWN, UNKNOWN, UNKNOWN, null);
    private static final PartStatus NO_PART = new PartStatus("", null, null, UNKNOWN, null);
    private static final LoopStatus NO_LOOP = new LoopStatus("", UNKNOWN, UNKNOWN, UNKNOWN);
    private static final StorageGrowth NO_DISK = new StorageGrowth(UNKNOWN, UNKNOWN, null, null);

    static ProcessReading failed(long nanos, String problem) {
        return new ProcessReading(
                nanos, problem, "", "", false, UNKNOWN, UNKNOWN, "", "", 0, List.of(), List.of(), null, Map.of());
    }

    /** Reads the JSON of {@code /health}. @throws IllegalArgumentException when it is of something else */
    static ProcessReading of(long nanos, JsonNode health) {
        List<PartStatus> parts = new ArrayList<>();
        for (JsonNode part : health.path("parts")) {
            ObjectNode whole = known(part, NO_PART);
            complete(whole, "input", NO_INPUT);
            complete(whole, "output", NO_OUTPUT);
            complete(whole, "snapshots", NO_SNAPSHOT);
            parts.add(Health.JSON.convertValue(whole, PartStatus.class));
        }
        List<LoopStatus> loops = new ArrayList<>();
        health.path("loops")
                .forEach(loop -> loops.add(Health.JSON.convertValue(known(loop, NO_LOOP), LoopStatus.class)));
        Map<String, Long> counters = new LinkedHashMap<>();
        health.path("counters")
                .properties()
                .forEach(each -> counters.put(each.getKey(), each.getValue().asLong(UNKNOWN)));
        JsonNode storage = health.path("storage");
        return new ProcessReading(
                nanos,
                null,
                text(health, "service"),
                text(health, "state"),
                health.path("isHealthy").asBoolean(false),
                number(health, "backlog"),
                number(health, "restarts"),
                text(health, "lastError"),
                text(health, "blocked"),
                Math.max(0, number(health, "blockedNanos")),
                List.copyOf(parts),
                List.copyOf(loops),
                storage.isObject() ? Health.JSON.convertValue(known(storage, NO_DISK), StorageGrowth.class) : null,
                Collections.unmodifiableMap(counters));
    }

    /** Returns the fields that were sent, and defaults for all others. */
    private static ObjectNode known(JsonNode sent, Object unknown) {
        ObjectNode all = Health.JSON.valueToTree(unknown);
        return sent instanceof ObjectNode known ? all.setAll(known) : all;
    }

    private static void complete(ObjectNode whole, String name, Object unknown) {
        if (whole.path(name).isObject()) {
            whole.set(name, known(whole.path(name), unknown));
        }
    }

    private static long number(JsonNode node, String name) {
        return node.path(name).asLong(UNKNOWN);
    }

    private static String text(JsonNode node, String name) {
        return node.path(name).isNull() ? "" : node.path(name).asText("");
    }
}
