package dev.baton.lab.launch;

import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.line.CommandException;

/**
 * The end of a planned trial. Immutable, thread-safe.
 *
 * @param plan as it was carried out
 * @param result null when there is none
 * @param failure why there is none; null when there is one, or when the command was interrupted before
 */
public record FinishedTrial(TrialPlan plan, TrialResult result, CommandException failure) {
    /** {@return the verdict of its result; a failure when its JVM ended without one, or when it was refused} */
    public Verdict verdict() {
        return result == null ? Verdict.FAIL : result.outcome().verdict();
    }

    /** {@return whether it answers a part of the question; a JVM that ended without a result does} */
    public boolean counts() {
        return result == null
                ? failure != null && failure.kind() == CommandException.Kind.FAILURE
                : verdict() != Verdict.INTERRUPTED;
    }
}
