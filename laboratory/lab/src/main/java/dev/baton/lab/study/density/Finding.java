package dev.baton.lab.study.density;

import java.util.List;

/**
 * What a search knows, at its end or when it was stopped.
 *
 * @param end how it ended; null while it has not
 * @param holds the largest number that passes as far as known; 0 when none does
 * @param breaks the smallest number above it that fails; 0 when none was seen
 * @param isConfirmed whether {@code holds} has passed twice
 * @param unsteady numbers that passed, and failed their confirmation
 */
public record Finding(End end, int holds, int breaks, boolean isConfirmed, List<Integer> unsteady) {
    /** How a search ends. */
    public enum End {
        /** {@code holds} was confirmed, and {@code breaks}, within a step above it, failed twice. */
        FOUND,
        /** The largest number allowed was confirmed: the capacity may lie above. */
        AT_MOST,
        /** Even one instance fails. */
        NONE,
        /** A number was tried as often as is allowed without a trial that counts. */
        INCONCLUSIVE
    }
}
