package dev.baton.lab.matrix;

import dev.baton.lab.reporting.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Which variant of a matrix is best, in a sentence for each of the first figures. Stateless, thread-safe. */
public final class MatrixAnswer {
    private static final int FIGURES = 2;

    private MatrixAnswer() {}

    /** Of the figures that can be ranked and that rest on enough samples, the first few. */
    public static List<String> sentences(List<Series> all, List<Figure> figures, List<Comparison> comparisons) {
        List<String> sentences = new ArrayList<>();
        for (int i = 0; i < figures.size() && sentences.size() < FIGURES; i++) {
            if (figures.get(i).isLessBetter() != null && !hasFewSamples(all, figures.get(i))) {
                sentences.add(figures.get(i).name() + ", " + sentence(all, figures.get(i), comparisons.get(i)) + ".");
            }
        }
        return sentences.isEmpty() ? List.of("No figure rests on enough samples to name a best variant.") : sentences;
    }

    private static boolean hasFewSamples(List<Series> all, Figure figure) {
        return all.stream()
                .flatMap(each -> each.results().stream())
                .anyMatch(result -> figure.value().apply(result) != null
                        && figure.hasFewSamples().apply(result));
    }

    private static String sentence(List<Series> all, Figure figure, Comparison comparison) {
        List<String> parts = new ArrayList<>();
        for (int row = 0; row < all.size(); row++) {
            if (comparison.isBest(row)) {
                int best = row;
                List<String> same = IntStream.range(0, all.size())
                        .filter(other -> other != best
                                && comparison.best().get(other) == best
                                && comparison.isAsGoodAsBest(other))
                        .mapToObj(other -> all.get(other).variant().name())
                        .toList();
                String median =
                        figure.text().apply(comparison.spreads().get(row).median());
                parts.add(all.get(row).variant().name() + " (" + median + ")"
                        + (same.isEmpty() ? "" : ", not to be told from " + String.join(", ", same)));
            }
        }
        return (parts.size() > 1 ? "best of those that promise the same: " : "best: ") + String.join("; ", parts);
    }
}
