package dev.baton.measuring.data;

import java.util.List;
import java.util.Optional;

/**
 * One merged histogram in figures, nanoseconds.
 *
 * @param count values recorded
 * @param minNanos null when nothing was recorded, like mean and max
 * @param percentiles in increasing order, from 50 on
 * @param maxNanos to three digits, rounded up; a lower bound when {@code clamped} is not 0
 * @param clamped values beyond the highest trackable one, which were recorded as that
 * @param highestNanos the highest trackable value
 */
public record Latency(
        long count,
        Long minNanos,
        Double meanNanos,
        List<Percentile> percentiles,
        Long maxNanos,
        long clamped,
        long highestNanos) {

    public Latency {
        percentiles = percentiles == null ? List.of() : List.copyOf(percentiles);
    }

    /** The entry for a percentile, such as 99.9. */
    public Percentile at(double percentile) {
        return find(percentile)
                .orElseThrow(() -> new IllegalArgumentException("p" + percentile + " is not among " + percentiles));
    }

    /** {@return the entry for a percentile, if present} */
    public Optional<Percentile> find(double percentile) {
        return percentiles.stream()
                .filter(entry -> Math.abs(entry.percentile() - percentile) < 1e-9)
                .findFirst();
    }

    /** {@return the value at a percentile, or at 100 the maximum; null when it is missing, or nothing was recorded} */
    public Long nanosAt(double percentile) {
        return percentile == 100
                ? maxNanos
                : find(percentile).map(Percentile::nanos).orElse(null);
    }

    /**
     * Returns these response times with the percentiles marked at which the sender was late.
     *
     * @param service latencies of the same messages from the actual send
     */
    public Latency comparedWith(Latency service) {
        List<Percentile> marked = percentiles.stream()
                .map(each ->
                        service.find(each.percentile()).map(each::comparedWith).orElse(each))
                .toList();
        return new Latency(count, minNanos, meanNanos, marked, maxNanos, clamped, highestNanos);
    }
}
