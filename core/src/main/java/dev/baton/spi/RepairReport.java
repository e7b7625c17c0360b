package dev.baton.spi;

import java.util.List;

/**
 * The result of a repair of a topic: {@link RepairingProvider#repair}. Immutable, thread-safe.
 *
 * @param outcome result of the repair
 * @param dropped number of records that readers skip from now on, or would skip
 * @param isReadable whether readers then reach the end of the topic
 * @param lines lines of text for the user
 */
public record RepairReport(Outcome outcome, long dropped, boolean isReadable, List<String> lines) {
    /** The result of the repair of a topic. */
    public enum Outcome {
        /** Every record is a frame or a marker, or an earlier repair has declared it dropped. Nothing was written. */
        NOTHING_TO_DROP,
        /** Some records would be dropped. Nothing was written. */
        WOULD_DROP,
        /** The repair was appended, or the remaining frames have replaced the topic. */
        DROPPED
    }

    /**
     * Copies the lines.
     *
     * @param outcome result of the repair
     * @param dropped number of records that readers skip from now on, or would skip
     * @param isReadable whether readers then reach the end of the topic
     * @param lines lines of text for the user
     */
    public RepairReport {
        lines = List.copyOf(lines);
    }
}
