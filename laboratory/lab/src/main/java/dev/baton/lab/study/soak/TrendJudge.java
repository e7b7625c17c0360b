package dev.baton.lab.study.soak;

import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.RemoteProcess;
import dev.baton.lab.results.Second;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.study.soak.Trend.Judgement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * Distinguishes trends from noise: a quantity grows when its slope is more than chance and, over the whole measurement, more than is
 * allowed. One condition alone is no trend: a significant growth may be small, and a large one may be momentary. Immutable, thread-safe.
 *
 * @param otherProcessesCores that other processes used meanwhile; null: unknown
 * @param unjudged quantities that may grow, and why
 */
record TrendJudge(long measuredNanos, Double otherProcessesCores, Map<Quantity, String> unjudged) {
    /** The probability that a quantity without a trend rises as steadily; with twelve quantities one soak in a hundred at most. */
    static final double MOST_CHANCE = 0.001;

    /** Cores that other processes use from which on they may explain a drift of latency and CPU. */
    private static final double BUSY_OTHER_PROCESSES = 0.1;

    private static final int TENTHS = 10;

    /** The number of values of a slope; a longer series is reduced to medians of a few seconds each. */
    private static final int MOST_POINTS = 120;

    private static final int LEAST_POINTS = 15;
    private static final double LEAST_COVERED = 0.9; // of the measurement, by the figures of a process elsewhere
    private static final String UNTOUCHED =
            "not judged: it grows until the heap of that process has touched all of its pages";
    private static final String RUN_LONGER = "run longer";
    private static final double NANOS_PER_HOUR = 3_600e9;

    /** The rule in words for a person. */
    static final String RULE =
            "a quantity grows when the median slope of all pairs of points (Theil-Sen) would take it over what is"
                    + " allowed, and a series without a trend would rise as steadily in less than 1 of 1,000 cases"
                    + " (Mann-Kendall, variance corrected for autocorrelation)";

    List<Trend> judge(List<Second> seconds) {
        List<Double> inFlight = inFlight(seconds);
        boolean isBehind = isBehind(seconds, inFlight);
        return Arrays.stream(Quantity.values())
                .map(quantity -> quantity == Quantity.IN_FLIGHT
                        ? judge(quantity, inFlight, isBehind)
                        : judge(quantity, seconds.stream().map(quantity::in).toList(), isBehind))
                .toList();
    }

    /** Sent and not received, at the end of each second, but for those of before the first. */
    private static List<Double> inFlight(List<Second> seconds) {
        List<Double> all = new ArrayList<>();
        double count = 0;
        for (Second each : seconds) {
            count += each.sent() - each.received();
            all.add(count);
        }
        return all;
    }

    /** {@return whether more than a second's messages were ever in flight, so that they are in the queues} */
    private static boolean isBehind(List<Second> seconds, List<Double> inFlight) {
        double perSecond = seconds.stream().mapToLong(Second::sent).average().orElse(0);
        return inFlight.stream().anyMatch(count -> count > perSecond);
    }

    private Trend judge(Quantity quantity, List<Double> values, boolean isBehind) {
        double[] points = parts(values, MOST_POINTS);
        List<Double> tenths = DoubleStream.of(parts(values, TENTHS)).boxed().toList();
        String why = unjudged.get(quantity);
        boolean mayGrow = why != null;
        if (points.length < LEAST_POINTS) {
            String few = mayGrow ? why : "only " + points.length + " points; " + RUN_LONGER;
            String reason = points.length == 0 ? "not measured here" : few;
            return new Trend(quantity.words, quantity.unit, tenths, 0, 0, 0, 1, Judgement.NOT_JUDGED, reason);
        }
        Slope slope = Slope.of(points);
        double grown = slope.perPoint() * (points.length - 1);
        double hours = measuredNanos / NANOS_PER_HOUR;
        double allowed = quantity.allowance.over(hours, tenths.get(0));
        boolean grows = slope.chance() < MOST_CHANCE && grown > allowed;
        String remark = mayGrow ? why : grows && quantity.isDisturbed(isBehind) ? excuse(isBehind) : "";
        Judgement judged = !grows ? Judgement.STEADY : remark.isEmpty() ? Judgement.GROWS : Judgement.DOUBTFUL;
        return new Trend(
                quantity.words,
                quantity.unit,
                tenths,
                grown / hours,
                grown,
                allowed,
                slope.chance(),
                mayGrow ? Judgement.NOT_JUDGED : judged,
                remark);
    }

    /** Describes the use by other processes meanwhile; empty when that explains nothing. */
    private String excuse(boolean isBehind) {
        return otherProcessesCores != null && otherProcessesCores >= BUSY_OTHER_PROCESSES
                ? "other processes used " + Math.round(otherProcessesCores * 100) / 100.0 + " cores meanwhile"
                        + (isBehind ? " and the chains fell behind" : "")
                : "";
    }

    /** The median of each of so many equal parts of the values that there are, or these themselves when they are fewer. */
    private static double[] parts(List<Double> values, int most) {
        double[] there = values.stream()
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .toArray();
        int count = Math.min(there.length, most);
        double[] parts = new double[count];
        for (int i = 0; i < count; i++) {
            parts[i] = Slope.median(Arrays.copyOfRange(
                    there, (int) ((long) there.length * i / count), (int) ((long) there.length * (i + 1) / count)));
        }
        return parts;
    }

    /**
     * Returns the outcome, which is failed when something grows. It is not a pass when something may have grown, or when that is unknown.
     *
     * @param uncounted why counting ended early; null: it did not
     */
    static Outcome outcome(Outcome outcome, List<Trend> trends, String uncounted) {
        List<String> growing = texts(trends, Judgement.GROWS);
        List<String> open = new ArrayList<>(texts(trends, Judgement.DOUBTFUL));
        String unjudged = trends.stream()
                .filter(trend -> trend.judgement() == Judgement.NOT_JUDGED)
                .filter(trend -> trend.remark().endsWith(RUN_LONGER)) // it could have been, had the soak been longer
                .map(Trend::quantity)
                .collect(Collectors.joining(", "));
        if (!unjudged.isEmpty()) {
            open.add("too few points to judge " + unjudged + ": run longer");
        }
        if (uncounted != null) {
            open.add("the resources were not counted to the end: " + uncounted);
        }
        List<String> reasons = new ArrayList<>(growing);
        reasons.addAll(outcome.reasons());
        if (!growing.isEmpty()) {
            return new Outcome(Verdict.FAIL, reasons);
        }
        reasons.addAll(open);
        boolean isOpen = outcome.verdict() == Verdict.PASS && !open.isEmpty();
        return new Outcome(isOpen ? Verdict.INCONCLUSIVE : outcome.verdict(), reasons, outcome.blamesHost());
    }

    /** Returns the trial with the trends of processes that run services elsewhere, failed when something grows in one of them. */
    static TrialResult judged(TrialResult trial) {
        if (!(trial.findings() instanceof SoakFindings own) || trial.outcome().verdict() == Verdict.INTERRUPTED) {
            return trial;
        }
        List<SoakFindings.OfProcess> found = new ArrayList<>();
        Outcome outcome = trial.outcome();
        for (RemoteProcess process : trial.elsewhere()) {
            List<Trend> trends = trends(process);
            found.add(new SoakFindings.OfProcess(
                    process.address(), process.timeline().size(), trends));
            List<Trend> named =
                    trends.stream().map(trend -> trend.of(process.address())).toList();
            outcome = outcome(outcome, named, uncounted(process, trial.span().measureNanos()));
        }
        return trial.with(outcome, new SoakFindings(own.points(), own.rule(), own.trends(), found));
    }

    /** Returns the trends of a process elsewhere, without messages in flight, which are unknown there. */
    private static List<Trend> trends(RemoteProcess process) {
        boolean isKnown = process.busyCores() != null && process.cpuCores() != null;
        Double others = isKnown ? Double.valueOf(process.busyCores() - process.cpuCores()) : null;
        TrendJudge judge = new TrendJudge(process.spanNanos(), others, Map.of(Quantity.ANONYMOUS, UNTOUCHED));
        return judge.judge(process.timeline()).stream()
                .filter(trend -> !trend.tenths().isEmpty() && !trend.quantity().equals(Quantity.IN_FLIGHT.words))
                .toList();
    }

    /** Returns why the figures of a process do not cover the whole soak; null when they do. */
    private static String uncounted(RemoteProcess process, long measuredNanos) {
        List<Second> timeline = process.timeline();
        long covered =
                timeline.isEmpty() ? 0 : timeline.get(timeline.size() - 1).endNanos();
        return covered >= LEAST_COVERED * measuredNanos
                ? null
                : process.address() + " answered for " + Math.round(100.0 * covered / measuredNanos)
                        + " % of the time, or was started again";
    }

    private static List<String> texts(List<Trend> trends, Judgement judgement) {
        return trends.stream()
                .filter(each -> each.judgement() == judgement)
                .map(each -> each.quantity() + " grows" + (each.remark().isEmpty() ? "" : ", but " + each.remark()))
                .toList();
    }
}
