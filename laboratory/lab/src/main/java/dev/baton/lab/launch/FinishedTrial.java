package dev.baton.lab.launch;

import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.line.CommandException;
import java.nio.file.Path;

/**
 * What became of a planned trial. Immutable, thread-safe.
 *
 * @param plan as it was carried out
 * @param file its {@code trial.json}; null without a result
 * @param result null when there is none
 * @param failure why there is none; null when there is one, or when the command was interrupted before
 */
public record FinishedTrial(TrialPlan plan, Path file, TrialResult result, CommandException failure) {}
