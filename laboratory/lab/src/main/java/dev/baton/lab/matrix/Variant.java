package dev.baton.lab.matrix;

import dev.baton.lab.launch.PlannedTrial;
import java.util.Objects;

/**
 * One way to run the question of a matrix: a row of its table. Immutable, thread-safe.
 *
 * @param name distinct properties, such as {@code jdk25 g1 disruptor}
 * @param trial that is repeated; null when it cannot be run, or only its results are known
 * @param skipped why it cannot be run; null when it can
 */
public record Variant(String name, PlannedTrial trial, String skipped) {
    /** The mark of the variant that repeats the first one. */
    public static final String AGAIN = " (again)";

    public Variant {
        Objects.requireNonNull(name, "name");
        if (trial != null && skipped != null) {
            throw new IllegalArgumentException(name + ": a trial, or why there is none");
        }
    }

    public static Variant of(String name, PlannedTrial trial) {
        return new Variant(name, trial, null);
    }

    public static Variant skipped(String name, String reason) {
        return new Variant(name, null, reason);
    }

    /** Returns a variant whose trials have run, maybe in another process. */
    public static Variant measured(String name) {
        return new Variant(name, null, null);
    }

    public boolean isSkipped() {
        return skipped != null;
    }

    /** {@return whether it is another variant's repetition} */
    boolean isAgain() {
        return name.endsWith(AGAIN);
    }

    /** {@return whether the two run the same trial} */
    boolean isSameAs(Variant other) {
        return !isSkipped()
                && (trial == null
                        ? name.replace(AGAIN, "").equals(other.name.replace(AGAIN, ""))
                        : trial == other.trial);
    }

    /** Returns the trial under another name: the difference between the two is chance. */
    Variant again() {
        return of(name + AGAIN, trial);
    }
}
