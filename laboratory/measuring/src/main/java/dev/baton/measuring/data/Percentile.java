package dev.baton.measuring.data;

/**
 * One percentile of a merged histogram.
 *
 * @param percentile such as 99.9
 * @param nanos null when nothing was recorded
 * @param samplesAbove values of a rank above it: what its estimate rests on
 * @param hasFewSamples fewer than 100 samples above: shown grey, never a verdict
 * @param runForNanos how long a measurement at the same rate must last for it not to be grey; 0 when it is not
 */
public record Percentile(double percentile, Long nanos, long samplesAbove, boolean hasFewSamples, long runForNanos) {
    public Percentile {
        if (!(percentile >= 0 && percentile <= 100) || nanos != null && nanos < 0 || samplesAbove < 0) {
            throw new IllegalArgumentException("percentile " + percentile + " of " + nanos + " ns on " + samplesAbove
                    + " samples; 0 to 100, and none of them negative");
        }
    }
}
