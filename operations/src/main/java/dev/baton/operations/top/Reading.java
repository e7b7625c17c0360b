package dev.baton.operations.top;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * What one process answered at one time, and what it could not be asked for. Components that an older process does not send are
 * unknown. Immutable, thread-safe.
 *
 * @param nanos when it was asked
 * @param problem why there is no answer; null where there is one
 */
record Reading(
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
        List<Part> parts,
        List<Loop> loops) {
    static final long UNKNOWN = -1;

    /** One part of a chain; {@link #UNKNOWN} in place of numbers that are not known. */
    record Part(
            String name,
            String input,
            String output,
            long consumed,
            long sent,
            long stored,
            long backlog,
            long unreadNanos,
            long unstoredNanos,
            long idleNanos) {
        /** Whether it is the same part as in another reading. */
        boolean isSameAs(Part other) {
            return name.equals(other.name) && input.equals(other.input) && output.equals(other.output);
        }

        long unstored() {
            return Math.max(0, sent - stored);
        }
    }

    /** One loop. */
    record Loop(String name, long busyNanos, long measuredNanos, long longestSweepNanos) {}

    static Reading failed(long nanos, String problem) {
        return new Reading(nanos, problem, "", "", false, UNKNOWN, UNKNOWN, "", "", 0, List.of(), List.of());
    }

    /** Reads the JSON of {@code /health}. */
    static Reading of(long nanos, JsonNode health) {
        List<Part> parts = new ArrayList<>();
        for (JsonNode part : health.path("parts")) {
            parts.add(new Part(
                    part.path("name").asText(""),
                    part.path("input").asText(""),
                    part.path("output").asText(""),
                    number(part, "consumed"),
                    number(part, "sent"),
                    number(part, "stored"),
                    number(part, "backlog"),
                    number(part, "unreadNanos"),
                    number(part, "unstoredNanos"),
                    number(part, "idleNanos")));
        }
        List<Loop> loops = new ArrayList<>();
        for (JsonNode loop : health.path("loops")) {
            loops.add(new Loop(
                    loop.path("name").asText(""),
                    number(loop, "busyNanos"),
                    number(loop, "measuredNanos"),
                    number(loop, "longestSweepNanos")));
        }
        return new Reading(
                nanos,
                null,
                health.path("service").asText(""),
                health.path("state").asText(""),
                health.path("isHealthy").asBoolean(false),
                number(health, "backlog"),
                number(health, "restarts"),
                text(health, "lastError"),
                text(health, "blocked"),
                Math.max(0, number(health, "blockedNanos")),
                List.copyOf(parts),
                List.copyOf(loops));
    }

    private static long number(JsonNode node, String name) {
        return node.path(name).asLong(UNKNOWN);
    }

    private static String text(JsonNode node, String name) {
        return node.path(name).isNull() ? "" : node.path(name).asText("");
    }
}
