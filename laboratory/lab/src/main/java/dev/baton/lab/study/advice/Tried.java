package dev.baton.lab.study.advice;

import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.request.Limit;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Percentile;
import dev.baton.operations.terminal.Units;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A setting and a trial of it. Immutable, thread-safe.
 *
 * @param trial without a result when its JVM ended early, or when it was refused
 * @param isDeciding whether a recommendation may be based on the trial
 */
record Tried(Candidate setting, FinishedTrial trial, boolean isDeciding) {
    /** Share of the asked rate below which a trial is hopeless. */
    static final double HOPELESS_SHARE = 0.5;

    private static final double MEDIAN = 50;

    /** Share of its loops' time from which a trial was short of loops, and of all CPU time up to which cores were idle. */
    private static final double BUSY = 0.8;

    TrialResult result() {
        return trial.result();
    }

    Verdict verdict() {
        return trial.verdict();
    }

    /** {@return whether it kept the limit, with a known cost} */
    boolean holds() {
        return verdict() == Verdict.PASS && cpuNanos() != null;
    }

    /** Returns whether its verdict is based on too few samples to decide. */
    boolean isProvisional() {
        return result() != null && result().isProvisional() && !isHopeless();
    }

    /** {@return why it does not hold; empty when it does} */
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

    /**
     * Returns whether further values of its transport are not worth a trial: it did not pass, and delivered less than {@value
     * #HOPELESS_SHARE} of the rate, or had a median beyond a limit, or its JVM did not write a result. Shares and medians
     * are reliable in a short trial, which higher percentiles are not.
     */
    boolean isHopeless() {
        if (result() == null) {
            return trial.failure() != null;
        }
        boolean isJudged = verdict() == Verdict.FAIL || verdict() == Verdict.INCONCLUSIVE;
        return isJudged
                && result().rate().askedPerSecond() > 0
                && (result().rate().share() < HOPELESS_SHARE
                        || result().plan().limits().stream().anyMatch(this::isMedianBeyond));
    }

    private boolean isMedianBeyond(Limit limit) {
        Long median = result().response().find(MEDIAN).map(Percentile::nanos).orElse(null);
        return median != null && limit.percentile() >= MEDIAN && median >= limit.nanos();
    }

    /** Returns whether its loops, so many, were busy while cores of the machine were idle: more loops may carry more. */
    boolean isShortOfLoops(int loops) {
        if (result() == null || result().machine() == null) {
            return false;
        }
        Double used = result().machine().chainCpuCores();
        Double busy = result().machine().host().busyShare();
        return used != null && busy != null && busy < BUSY && used >= BUSY * loops;
    }

    /** CPU time of the JVM and of brokers on this machine for each message; null: unknown. */
    Double cpuNanos() {
        return result() == null ? null : cpuNanos(result());
    }

    static Double cpuNanos(TrialResult result) {
        double perSecond = result.rate().achievedPerSecond();
        return result.cpuCores() == null || perSecond == 0 ? null : Double.valueOf(result.cpuCores() * 1e9 / perSecond);
    }

    /** The percentiles that limits bound, in parentheses where too few samples lie above: {@code p99.9 (3.10 ms)}. */
    String figures() {
        return result() == null
                ? ""
                : result().plan().limits().stream()
                        .map(limit -> figure(limit, result().response()))
                        .collect(Collectors.joining(", "));
    }

    private static String figure(Limit limit, Latency response) {
        Optional<Percentile> entry = entry(limit, response);
        Long nanos = nanos(limit, response);
        String time = nanos == null ? "-" : Units.time(nanos);
        return entry.map(each ->
                        ResultTable.name(each.percentile()) + " " + (each.hasFewSamples() ? "(" + time + ")" : time))
                .orElse("max " + time);
    }

    /** The used part of the tightest limit: 1 exceeds it; the greatest value where nothing was recorded. */
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

    /** Returns that percentile; empty where it is the maximum. */
    static Optional<Percentile> entry(Limit limit, Latency response) {
        return response.percentiles().stream()
                .filter(entry -> entry.percentile() >= limit.percentile())
                .findFirst();
    }
}
