package dev.baton.lab.study.advice;

import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.request.Limit;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Percentile;
import java.util.Optional;

/**
 * A setting and what an exploratory trial of it told. Immutable, thread-safe.
 *
 * @param trial without a result when its JVM did not live to write one, or when it was refused
 */
record Tried(Setting setting, FinishedTrial trial) {
    TrialResult result() {
        return trial.result();
    }

    Verdict verdict() {
        return trial.verdict();
    }

    /** Whether it kept the limit, and what it cost is known. */
    boolean holds() {
        return verdict() == Verdict.PASS && cpuNanos() != null;
    }

    /** Why it does not hold; empty when it does. */
    String reason() {
        if (result() == null) {
            return trial.failure() == null ? "interrupted" : trial.failure().getMessage();
        }
        if (verdict() == Verdict.PASS) {
            return cpuNanos() == null ? "its CPU time is not known" : "";
        }
        return result().outcome().reasons().isEmpty()
                ? verdict().name()
                : result().outcome().reasons().get(0);
    }

    /** CPU time of the JVM and of brokers on this machine for each message; null: not known. */
    Double cpuNanos() {
        return result() == null ? null : cpuNanos(result());
    }

    static Double cpuNanos(TrialResult result) {
        double perSecond = result.rate().achievedPerSecond();
        return result.cpuCores() == null || perSecond == 0 ? null : Double.valueOf(result.cpuCores() * 1e9 / perSecond);
    }

    /** By how much the tightest limit is used up: 1 breaks it; the largest of all where nothing was recorded. */
    double share() {
        return result() == null
                ? Double.MAX_VALUE
                : result().plan().limits().stream()
                        .mapToDouble(limit -> share(limit, result().response()))
                        .max()
                        .orElse(0);
    }

    private static double share(Limit limit, Latency response) {
        Long nanos = nanos(limit, response);
        return nanos == null ? Double.MAX_VALUE : (double) nanos / limit.nanos();
    }

    /** The percentile that a limit bounds, or the next higher one of a result; null when nothing was recorded. */
    static Long nanos(Limit limit, Latency response) {
        return entry(limit, response).map(Percentile::nanos).orElse(response.maxNanos());
    }

    /** That percentile; empty where it is the maximum. */
    static Optional<Percentile> entry(Limit limit, Latency response) {
        return response.percentiles().stream()
                .filter(entry -> entry.percentile() >= limit.percentile())
                .findFirst();
    }
}
