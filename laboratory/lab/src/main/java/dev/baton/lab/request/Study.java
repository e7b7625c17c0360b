package dev.baton.lab.request;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/**
 * The question of a trial: one record for each kind of question, by its name in the plan's file. Immutable, thread-safe.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public interface Study {
    /** The response of chains. */
    Study CHAINS = new ChainStudy();

    /** The question about the response of chains, for which the common parts of a plan are enough. */
    record ChainStudy() implements Study {}

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

    /** Returns the study without secret values. */
    default Study redacted() {
        return this;
    }

    /** Returns arguments of the form {@code key=value}, or URLs, whose secrets {@link #redacted} removes. */
    default List<String> confidential() {
        return List.of();
    }

    /** Returns the number of evenly spaced counts of the resources that processes hold during the measurement; 0 for none. */
    default int points() {
        return 0;
    }

    /** {@return whether a trial that fails has a defect for any reason, and not a figure that a comparison may show} */
    default boolean isEachFailureADefect() {
        return false;
    }

    /** {@return whether a trial can fail for more than its delivery, its rate and the limits of its plan} */
    default boolean isJudged() {
        return false;
    }

    /** {@return whether trials of one experiment differ by more than transport and engine, so that people identify them by their id} */
    default boolean isKnownById() {
        return false;
    }
}
