package dev.baton.lab.study.comparison;

import dev.baton.lab.matrix.Spread;
import dev.baton.operations.terminal.Tone;
import java.util.Locale;

/**
 * One percentile of both sides. Immutable, thread-safe.
 *
 * @param percentile 100 for the maximum
 * @param before medians and ranges over the trials of the first side, nanoseconds
 * @param after medians and ranges over the trials of the second side, nanoseconds
 * @param change of the second against the first: 0.1 is 10 % more
 * @param margin the change that may be due to chance, with a confidence of 95 %: as a factor less one, so that 0.1 is a tenth up or down;
 * infinite when it is unknown
 * @param seen the power: the change that would have been found in 4 of 5 comparisons like this one; as a factor less one, infinite when it
 * is unknown
 * @param hasFewSamples whether fewer than 100 samples lie above it on either side
 * @param asideBefore the value of the one trial before that was set aside as an outlier; null for none
 * @param asideAfter the value of the one trial after that was set aside as an outlier; null for none
 */
public record Difference(
        double percentile,
        Spread before,
        Spread after,
        double change,
        double margin,
        double seen,
        Word word,
        boolean hasFewSamples,
        Double asideBefore,
        Double asideAfter) {
    public enum Word {
        FASTER("faster", Tone.GOOD),
        SLOWER("slower", Tone.BAD),
        /** No difference within the resolution of these data. */
        SAME("~", Tone.PLAIN),
        /** Too few trials for a statement. */
        UNKNOWN("?", Tone.PLAIN);

        final String text;
        final Tone tone;

        Word(String text, Tone tone) {
            this.text = text;
            this.tone = tone;
        }
    }

    /** Returns the trials set aside that spoke against growth: a slow one before, a fast one after. */
    int contrary() {
        int slowBefore = asideBefore != null && asideBefore > before.median() ? 1 : 0;
        int fastAfter = asideAfter != null && asideAfter < after.median() ? 1 : 0;
        return slowBefore + fastAfter;
    }

    /** Formats a share of the first value; from twice as much on, a factor. @param sign {@code "+"} to show that of a growth */
    static String text(double share, String sign) {
        return share >= 1
                ? String.format(Locale.ROOT, share < 99 ? "x %.1f" : "x %.0f", 1 + share)
                : String.format(Locale.ROOT, "%" + sign + ".1f %%", 100 * share);
    }
}
