package dev.baton.lab.results;

import dev.baton.lab.request.Study;

/**
 * A kind of question that the laboratory can answer: a study's entry in the registry. One line in {@code
 * META-INF/services} makes it known to every part of the laboratory.
 *
 * <p>What a part needs of it is a role that the same class implements: {@code trial.Workload.Source} to run trials, {@code
 * reporting.StudyView} to show them, {@code command.CommandSource} or {@code command.MeasuredStudy} to be typed.
 * Implementations have a public constructor without parameters and no state; every JVM of a trial makes one of each.
 * Thread-safe.
 */
public interface StudyKind {
    /** Names it in the files of plans and results; unique. */
    String name();

    /** What a plan says of it beyond the common parts; null: nothing. */
    default Class<? extends Study> request() {
        return null;
    }

    /** What a result says of it beyond the common parts; null: nothing. */
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
