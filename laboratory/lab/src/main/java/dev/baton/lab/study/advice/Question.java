package dev.baton.lab.study.advice;

import dev.baton.lab.command.PlannedTrials;
import dev.baton.lab.request.Limit;
import java.util.List;

/**
 * What was asked, as every setting is asked it. Immutable, thread-safe.
 *
 * @param limits that every chain must keep
 * @param lookedAt the same limits, judged on what a short trial has
 * @param exploratory what short trials have in common
 * @param deciding what the trials have in common that a recommendation rests on
 */
record Question(List<Limit> limits, List<Limit> lookedAt, PlannedTrials exploratory, PlannedTrials deciding) {
    /** Messages above a percentile that show where to look. */
    static final int LOOKING_SAMPLES = 10;
}
