package dev.baton.lab.results;

/**
 * Judges what processes elsewhere said of themselves: a role of a study's {@link StudyKind}. The trial's own process has judged
 * the rest. Stateless, thread-safe.
 */
public interface JudgesElsewhere {
    /** The same trial, judged with its {@link TrialResult#elsewhere}. */
    TrialResult judged(TrialResult trial);
}
