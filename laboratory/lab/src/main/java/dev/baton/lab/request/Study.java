package dev.baton.lab.request;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/**
 * What a trial asks beyond its plan's common parts, where that is not how chains respond: one record for each kind of
 * question, by its name in the plan's file. A plan without a study measures chains. Immutable, thread-safe.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public interface Study {
    /** Memory that the JVM of the trial may take in all; null: what its flags let it. */
    default MemoryBudget memory() {
        return null;
    }

    /**
     * The program that a JVM of its own runs beside the trial's, outside of what limits that one. It says on which port of
     * the loopback it listens; null: none.
     */
    default Class<?> companion() {
        return null;
    }

    /** The same without what must not reach a file. */
    default Study redacted() {
        return this;
    }

    /** Arguments of the form {@code key=value}, or URLs, whose secrets {@link #redacted} takes out. */
    default List<String> confidential() {
        return List.of();
    }

    /** At how many even moments of the measurement is counted what processes hold; 0: at none. */
    default int points() {
        return 0;
    }

    /** Whether a trial that fails has a defect whatever the reason, and not a figure that a comparison may show. */
    default boolean isEachFailureADefect() {
        return false;
    }

    /** Whether a trial can fail for more than its delivery, its rate and the limits of its plan. */
    default boolean isJudged() {
        return false;
    }

    /** Whether trials of one experiment differ by more than transport and engine, so that people know them by their id. */
    default boolean isKnownById() {
        return false;
    }
}
