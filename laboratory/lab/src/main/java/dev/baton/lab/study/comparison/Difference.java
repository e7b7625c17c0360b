package dev.baton.lab.study.comparison;

import dev.baton.lab.matrix.Spread;
import dev.baton.operations.terminal.Tone;

/**
 * One percentile of both sides. Immutable, thread-safe.
 *
 * @param percentile 100 for the maximum
 * @param before medians and ranges over the trials of the first side, nanoseconds
 * @param after medians and ranges over the trials of the second side, nanoseconds
 * @param change of the second against the first: 0.1 is 10 % more
 * @param margin by how much the change may be due to chance, with a confidence of 95 %: as a factor less one, so that
 *     0.1 is a tenth up or down; infinite when nothing tells
 * @param hasFewSamples whether fewer than 100 samples lie above it on either side
 */
public record Difference(
        double percentile,
        Spread before,
        Spread after,
        double change,
        double margin,
        Word word,
        boolean hasFewSamples) {
    public enum Word {
        FASTER("faster", Tone.GOOD),
        SLOWER("slower", Tone.BAD),
        /** None that this data can show. */
        SAME("~", Tone.PLAIN),
        /** Too few trials to say. */
        UNKNOWN("?", Tone.PLAIN);

        final String text;
        final Tone tone;

        Word(String text, Tone tone) {
            this.text = text;
            this.tone = tone;
        }
    }
}
