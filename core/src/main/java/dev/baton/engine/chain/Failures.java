package dev.baton.engine.chain;

/** Combines the failures of several steps, each of which has to be taken whatever an earlier one threw. Stateless. */
public final class Failures {
    private Failures() {}

    /** Runs all of these, whatever one of them throws; nulls are omitted. */
    public static void inOrder(Runnable... closes) {
        RuntimeException failure = null;
        for (Runnable each : closes) {
            try {
                if (each != null) {
                    each.run();
                }
            } catch (RuntimeException thrown) {
                failure = and(failure, thrown);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** The first failure, with the next one added. */
    public static RuntimeException and(RuntimeException first, RuntimeException next) {
        if (first == null) {
            return next;
        }
        if (first != next) { // two parts may have ended for one reason
            first.addSuppressed(next);
        }
        return first;
    }
}
