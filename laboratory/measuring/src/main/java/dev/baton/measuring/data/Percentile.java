package dev.baton.measuring.data;

/**
 * One percentile of a merged histogram.
 *
 * @param percentile such as 99.9
 * @param nanos null when nothing was recorded
 * @param samplesAbove values of a rank above it: what its estimate rests on
 * @param hasFewSamples fewer than 100 samples above: shown grey, never a verdict
 * @param runForNanos how long a measurement at the same rate must last for it not to be grey; 0 when it is not
 * @param isSenderLate whether this is a response time of which more than a tenth lies before the send: it measures the
 *     generator as well
 */
public record Percentile(
        double percentile,
        Long nanos,
        long samplesAbove,
        boolean hasFewSamples,
        long runForNanos,
        boolean isSenderLate) {
    /** The part of a response time that may lie before the send. */
    private static final double MOST_BEFORE_SEND = 0.1;

    public Percentile {
        if (!(percentile >= 0 && percentile <= 100) || nanos != null && nanos < 0 || samplesAbove < 0) {
            throw new IllegalArgumentException("percentile " + percentile + " of " + nanos + " ns on " + samplesAbove
                    + " samples; 0 to 100, and none of them negative");
        }
    }

    /** Creates a percentile whose value does not begin before the send. */
    public Percentile(double percentile, Long nanos, long samplesAbove, boolean hasFewSamples, long runForNanos) {
        this(percentile, nanos, samplesAbove, hasFewSamples, runForNanos, false);
    }

    /**
     * Returns this percentile of response times, marked where the sender was late.
     *
     * @param service the same percentile from the actual send
     */
    Percentile comparedWith(Percentile service) {
        boolean isLate = nanos != null && service.nanos != null && nanos - service.nanos > MOST_BEFORE_SEND * nanos;
        return new Percentile(percentile, nanos, samplesAbove, hasFewSamples, runForNanos, isLate);
    }
}
