package dev.baton.lab.matrix;

import dev.baton.lab.reporting.Figure;
import dev.baton.lab.results.TrialResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * One figure over all variants of a matrix: the best one, and those within the noise of it. Only variants whose transports have equal
 * guarantees are ranked against each other. The noise is the difference of identical trials, the A/A pair: the whole range of both its
 * halves. With fewer than {@value #LEAST_TRIALS} identical trials no variants are distinguished. Immutable, thread-safe.
 *
 * @param spreads the figure's spread for each variant, null where it has none
 * @param best for each variant the index of the best one with equal guarantees; -1 without one
 * @param hasFewSamples for each variant whether too little was measured for its figure to be a verdict
 * @param noise range of identical trials as a share of their median; infinite when unknown
 */
public record Comparison(
        Figure figure, List<Spread> spreads, List<Integer> best, List<Boolean> hasFewSamples, double noise) {
    static final int LEAST_TRIALS = 4;

    /**
     * Compares all series.
     *
     * @param all the variants' series, the A/A pair's second half last
     */
    public static Comparison of(List<Series> all, Figure figure) {
        List<Spread> spreads = all.stream()
                .map(each -> Spread.of(values(each, figure.value())))
                .toList();
        return new Comparison(
                figure,
                spreads,
                all.stream().map(each -> best(all, spreads, each, figure)).toList(),
                all.stream().map(each -> hasFewSamples(each, figure)).toList(),
                noise(all, figure.value()));
    }

    private static List<Double> values(Series series, Function<TrialResult, Double> value) {
        return series.results().stream().map(value).filter(Objects::nonNull).toList();
    }

    private static boolean hasFewSamples(Series series, Figure figure) {
        return series.results().stream()
                .anyMatch(result -> figure.value().apply(result) != null
                        && figure.hasFewSamples().apply(result));
    }

    /** The range of identical trials as a share of their median; infinite when there are too few. */
    public static double noise(List<Series> all, Function<TrialResult, Double> value) {
        List<Double> identical = new ArrayList<>();
        Series again = all.get(all.size() - 1);
        if (again.variant().isAgain()) {
            all.stream()
                    .filter(each -> each.variant().isSameAs(again.variant()))
                    .forEach(each -> identical.addAll(values(each, value)));
        }
        return identical.size() < LEAST_TRIALS
                ? Double.POSITIVE_INFINITY
                : Spread.of(identical).share();
    }

    private static int best(List<Series> all, List<Spread> spreads, Series like, Figure figure) {
        int best = -1;
        for (int i = 0; i < all.size() && figure.isLessBetter() != null; i++) {
            boolean isCandidate =
                    spreads.get(i) != null && all.get(i).promises().equals(like.promises());
            if (isCandidate && (best < 0 || isBetter(spreads.get(i), spreads.get(best), figure.isLessBetter()))) {
                best = i;
            }
        }
        return best;
    }

    private static boolean isBetter(Spread one, Spread other, boolean isLessBetter) {
        return isLessBetter ? one.median() < other.median() : one.median() > other.median();
    }

    /** {@return whether there is a best} */
    public boolean isRanking() {
        return figure.isLessBetter() != null;
    }

    /** {@return whether a variant has the best median of those with equal guarantees} */
    public boolean isBest(int variant) {
        return best.get(variant) == variant;
    }

    /** {@return whether a variant is ranked, and its difference to the best one is within the noise} */
    public boolean isAsGoodAsBest(int variant) {
        int against = best.get(variant);
        return against >= 0
                && spreads.get(variant) != null
                && !spreads.get(variant).differsFrom(spreads.get(against), noise);
    }
}
