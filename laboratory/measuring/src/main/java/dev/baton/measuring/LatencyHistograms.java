package dev.baton.measuring;

import org.HdrHistogram.AtomicHistogram;
import org.HdrHistogram.Histogram;

/**
 * The histograms of one interval or of a whole measurement: response, service and send delay in nanoseconds with three digits, with the
 * responses of the warm-up, and the number of values beyond the highest trackable one. Confined to its owner; a shared one accepts values
 * from any thread.
 */
public final class LatencyHistograms {
    private static final int DIGITS = 3;
    private static final int COARSE_DIGITS = 2;

    private final long highestNanos;
    private final Histogram response;
    private final Histogram service;
    private final Histogram sendDelay;
    private final Histogram warmup;
    private long clampedResponses;
    private long clampedServices;
    private long clampedSendDelays;

    /**
     * Creates histograms.
     *
     * @param isShared for any thread; the counts of clamped values may then be too low
     */
    LatencyHistograms(long highestNanos, boolean isShared) {
        this.highestNanos = highestNanos;
        response = histogram(highestNanos, DIGITS, isShared);
        service = histogram(highestNanos, DIGITS, isShared);
        sendDelay = histogram(highestNanos, DIGITS, isShared);
        warmup = histogram(highestNanos, COARSE_DIGITS, isShared);
    }

    /** Creates histograms for one thread. @param highestNanos greater values are recorded as this and counted */
    public static LatencyHistograms upTo(long highestNanos) {
        return new LatencyHistograms(highestNanos, false);
    }

    private static Histogram histogram(long highest, int digits, boolean isShared) {
        return isShared ? new AtomicHistogram(highest, digits) : new Histogram(highest, digits);
    }

    /** Records a message that arrived. */
    public void recordArrival(long responseNanos, long serviceNanos) {
        recordResponse(responseNanos);
        long clamped = clamp(serviceNanos);
        if (clamped != serviceNanos && serviceNanos > 0) {
            clampedServices++;
        }
        service.recordValue(clamped);
    }

    /** Records only a response, of a message that has not arrived. */
    public void recordResponse(long nanos) {
        long clamped = clamp(nanos);
        if (clamped != nanos && nanos > 0) {
            clampedResponses++;
        }
        response.recordValue(clamped);
    }

    /** Records how late a message was sent. */
    public void recordSendDelay(long nanos) {
        long clamped = clamp(nanos);
        if (clamped != nanos && nanos > 0) {
            clampedSendDelays++;
        }
        sendDelay.recordValue(clamped);
    }

    /** Adds the responses of another one as those of the warm-up. */
    void addWarmup(LatencyHistograms other) {
        addIfUsed(warmup, other.response);
    }

    private long clamp(long nanos) {
        return nanos > highestNanos ? highestNanos : Math.max(0, nanos);
    }

    /** Adds all values of another one. */
    public void add(LatencyHistograms other) {
        addIfUsed(response, other.response);
        addIfUsed(service, other.service);
        addIfUsed(sendDelay, other.sendDelay);
        addIfUsed(warmup, other.warmup);
        clampedResponses += other.clampedResponses;
        clampedServices += other.clampedServices;
        clampedSendDelays += other.clampedSendDelays;
    }

    private static void addIfUsed(Histogram sum, Histogram other) {
        if (other.getTotalCount() > 0) {
            sum.add(other);
        }
    }

    public void reset() {
        resetIfUsed(response);
        resetIfUsed(service);
        resetIfUsed(sendDelay);
        resetIfUsed(warmup);
        clampedResponses = 0;
        clampedServices = 0;
        clampedSendDelays = 0;
    }

    private static void resetIfUsed(Histogram histogram) {
        if (histogram.getTotalCount() > 0) {
            histogram.reset();
        }
    }

    public Histogram response() {
        return response;
    }

    public Histogram service() {
        return service;
    }

    public Histogram sendDelay() {
        return sendDelay;
    }

    public Histogram warmup() {
        return warmup;
    }

    public long clampedResponses() {
        return clampedResponses;
    }

    public long clampedServices() {
        return clampedServices;
    }

    public long clampedSendDelays() {
        return clampedSendDelays;
    }

    public long highestNanos() {
        return highestNanos;
    }
}
