package dev.baton.lab.results;

import dev.baton.lab.request.Study;

/**
 * A kind of question that the laboratory can answer: a study's entry in the registry. One line in {@code META-INF/services} registers it
 * with every part of the laboratory.
 *
 * <p>A part of the laboratory uses it through a role that the same class implements: {@code trial.Workload.OfStudy} to run trials, {@code
 * reporting.StudyView} to show them, {@code command.CommandSource} or {@code command.MeasuredStudy} for the command line. Implementations
 * have a public constructor without parameters and no state; every JVM of a trial creates one of each. Thread-safe.
 */
public interface StudyKind {
    /** Names it in the files of plans and results; unique. */
    String name();

    /** The question in its plans; null for a kind whose trials have the questions of others. */
    default Class<? extends Study> request() {
        return null;
    }

    /** The part of a result beyond the common ones; null for none. */
    default Class<? extends Findings> findings() {
        return null;
    }

    /**
     * Judges what processes elsewhere said of themselves, {@link TrialResult#elsewhere}; the trial's own process has judged
     * the rest.
     */
    default TrialResult judged(TrialResult trial) {
        return trial;
    }
}
