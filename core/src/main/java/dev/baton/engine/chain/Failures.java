package dev.baton.engine.chain;

import dev.baton.ServiceFailure;
import java.util.Arrays;

/** Combines the failures of several steps, all of which are taken even if earlier ones throw. Stateless. */
public final class Failures {
    private Failures() {}

    /** Runs all actions, even if some of them throw; nulls are skipped. */
    public static void inOrder(Runnable... closes) {
        RuntimeException failure = null;
        Error error = null;
        for (Runnable each : closes) {
            try {
                if (each != null) {
                    each.run();
                }
            } catch (RuntimeException thrown) {
                failure = and(failure, thrown);
            } catch (Error thrown) {
                error = error == null ? thrown : error;
            }
        }
        if (error != null) {
            throw error;
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Runs these steps after a failure, to which they add what they throw; nulls are skipped. */
    public static void after(Throwable failure, Runnable... closes) {
        for (Runnable each : closes) {
            try {
                if (each != null) {
                    each.run();
                }
            } catch (Throwable thrown) {
                if (thrown != failure) {
                    failure.addSuppressed(thrown);
                }
            }
        }
    }

    /**
     * Adds the name of a service to what its factory or its start has thrown, once: as a suppressed failure, which {@link
     * dev.baton.RestartPolicy} finds.
     */
    public static void nameService(Throwable thrown, String service, String topic) {
        if (Arrays.stream(thrown.getSuppressed()).noneMatch(ServiceFailure.class::isInstance)) {
            thrown.addSuppressed(new ServiceFailure(service, topic, ServiceFailure.NO_MESSAGE, thrown));
        }
    }

    /** Returns the first failure, with the next one added as suppressed. */
    public static RuntimeException and(RuntimeException first, RuntimeException next) {
        if (first == null) {
            return next;
        }
        if (first != next) { // two parts may have the same failure
            first.addSuppressed(next);
        }
        return first;
    }
}
