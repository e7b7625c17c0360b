package dev.baton.benchmark.matrix;

import dev.baton.benchmark.result.TrialResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * One figure over all variants of a matrix: which is best, and which cannot be told from it. What identical trials differ
 * by is taken from the A/A pair: the whole range of both its halves. With fewer than {@value #LEAST_TRIALS} identical
 * trials nothing is told apart. Immutable, thread-safe.
 *
 * @param spreads a figure's spread for each variant, null where it has none
 * @param best index of the best variant; -1 without one
 * @param noise range of identical trials as a share of their median; infinite when unknown
 */
public record Comparison(List<Spread> spreads, int best, double noise) {
    static final int LEAST_TRIALS = 4;

    /**
     * Compares.
     *
     * @param all the variants' series, the A/A pair's second half last
     * @param value of a trial; null for none
     * @param isLessBetter null when neither is better: then there is no best
     */
    public static Comparison of(List<Series> all, Function<TrialResult, Double> value, Boolean isLessBetter) {
        List<Spread> spreads = new ArrayList<>();
        for (Series each : all) {
            spreads.add(Spread.of(values(each, value)));
        }
        return new Comparison(Collections.unmodifiableList(spreads), best(spreads, isLessBetter), noise(all, value));
    }

    private static List<Double> values(Series series, Function<TrialResult, Double> value) {
        return series.results().stream().map(value).filter(Objects::nonNull).toList();
    }

    private static double noise(List<Series> all, Function<TrialResult, Double> value) {
        List<Double> identical = new ArrayList<>();
        Series again = all.get(all.size() - 1);
        if (again.variant().name().endsWith(Variant.AGAIN)) {
            String first =
                    again.variant().name().substring(0, again.variant().name().length() - Variant.AGAIN.length());
            all.stream()
                    .filter(each -> each.variant().name().equals(first))
                    .forEach(each -> identical.addAll(values(each, value)));
            identical.addAll(values(again, value));
        }
        return identical.size() < LEAST_TRIALS
                ? Double.POSITIVE_INFINITY
                : Spread.of(identical).share();
    }

    private static int best(List<Spread> spreads, Boolean isLessBetter) {
        int best = -1;
        for (int i = 0; i < spreads.size() && isLessBetter != null; i++) {
            if (spreads.get(i) != null && (best < 0 || isBetter(spreads.get(i), spreads.get(best), isLessBetter))) {
                best = i;
            }
        }
        return best;
    }

    private static boolean isBetter(Spread one, Spread other, boolean isLessBetter) {
        return isLessBetter ? one.median() < other.median() : one.median() > other.median();
    }

    /** Whether this data can tell a variant from the best one. */
    public boolean isWorse(int variant) {
        return best >= 0
                && variant != best
                && spreads.get(variant) != null
                && spreads.get(variant).differsFrom(spreads.get(best), noise);
    }
}
