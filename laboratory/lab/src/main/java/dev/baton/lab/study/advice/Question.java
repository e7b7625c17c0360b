package dev.baton.lab.study.advice;

import dev.baton.lab.command.PlannedTrials;
import dev.baton.lab.request.Limit;
import java.util.List;

/**
 * The question to every setting. Immutable, thread-safe.
 *
 * @param limits that every chain must keep
 * @param lookedAt the same limits, judged by the samples of a short trial
 * @param exploratory the common part of short trials
 * @param deciding the common part of the trials of a recommendation
 */
record Question(List<Limit> limits, List<Limit> lookedAt, PlannedTrials exploratory, PlannedTrials deciding) {
    /** The number of messages above a percentile that is enough for the direction of the search. */
    static final int LOOKING_SAMPLES = 10;
}
