package dev.baton.lab.launch;

import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.line.CommandException;

/**
 * What became of a planned trial. Immutable, thread-safe.
 *
 * @param plan as it was carried out
 * @param result null when there is none
 * @param failure why there is none; null when there is one, or when the command was interrupted before
 */
public record FinishedTrial(TrialPlan plan, TrialResult result, CommandException failure) {}
