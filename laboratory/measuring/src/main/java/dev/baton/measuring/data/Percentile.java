package dev.baton.measuring.data;

/**
 * One percentile of a merged histogram.
 *
 * @param percentile such as 99.9
 * @param nanos null when nothing was recorded
 * @param samplesAbove number of values of a higher rank, on which its estimate is based
 * @param hasFewSamples fewer than 100 samples above: shown grey, never a verdict
 * @param runForNanos duration of a measurement at the same rate with enough samples; 0 if this one has enough
 * @param isSenderLate whether this is a response time of which more than a tenth lies before the send, so that it measures the generator as
 * well
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

    /** Creates a percentile that is not marked as late. */
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
