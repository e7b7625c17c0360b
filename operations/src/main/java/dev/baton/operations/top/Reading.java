package dev.baton.operations.top;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * What one process answered at one time, and what it could not be asked for. Components that an older process does not send are
 * unknown. Immutable, thread-safe.
 *
 * @param disk null where it is not known
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
        List<Loop> loops,
        Disk disk) {
    static final long UNKNOWN = -1;

    /**
     * One part of a chain; {@link #UNKNOWN} in place of numbers that are not known.
     *
     * @param snapshot null for a service without state
     */
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
            long idleNanos,
            Snapshot snapshot) {
        /** Whether it is the same part as in another reading. */
        boolean isSameAs(Part other) {
            return name.equals(other.name) && input.equals(other.input) && output.equals(other.output);
        }

        long unstored() {
            return Math.max(0, sent - stored);
        }
    }

    /**
     * The newest whole snapshot.
     *
     * @param ageNanos {@link #UNKNOWN} where there is none
     */
    record Snapshot(long input, long bytes, long ageNanos, boolean isLate) {
        private static Snapshot of(JsonNode snapshots) {
            return snapshots.isObject()
                    ? new Snapshot(
                            number(snapshots, "input"),
                            number(snapshots, "bytes"),
                            number(snapshots, "ageNanos"),
                            snapshots.path("isLate").asBoolean(false))
                    : null;
        }
    }

    /**
     * What the topics take of their disk.
     *
     * @param bytesPerHour null where it is not known
     * @param secondsUntilFull null where it is not known, or never will be
     */
    record Disk(long bytes, long freeBytes, Long bytesPerHour, Long secondsUntilFull) {
        private static Disk of(JsonNode storage) {
            return storage.isObject()
                    ? new Disk(
                            number(storage, "bytes"),
                            number(storage, "freeBytes"),
                            orNull(storage.path("bytesPerHour")),
                            orNull(storage.path("secondsUntilFull")))
                    : null;
        }

        private static Long orNull(JsonNode number) {
            return number.isNumber() ? number.longValue() : null;
        }
    }

    /** One loop. */
    record Loop(String name, long busyNanos, long measuredNanos, long longestSweepNanos) {}

    static Reading failed(long nanos, String problem) {
        return new Reading(nanos, problem, "", "", false, UNKNOWN, UNKNOWN, "", "", 0, List.of(), List.of(), null);
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
                    number(part, "idleNanos"),
                    Snapshot.of(part.path("snapshots"))));
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
                List.copyOf(loops),
                Disk.of(health.path("storage")));
    }

    private static long number(JsonNode node, String name) {
        return node.path(name).asLong(UNKNOWN);
    }

    private static String text(JsonNode node, String name) {
        return node.path(name).isNull() ? "" : node.path(name).asText("");
    }
}
