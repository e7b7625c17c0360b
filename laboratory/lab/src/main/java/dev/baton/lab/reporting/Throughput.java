package dev.baton.lab.reporting;

import dev.baton.lab.request.Limit;
import java.util.List;

/**
 * Where a trial stands in the chart of latency over throughput. Immutable, thread-safe.
 *
 * @param series what it has in common with the trials that differ in throughput alone
 * @param itemsPerSecond that it was asked to carry
 * @param limits that are drawn where they bound the percentile of the chart
 */
public record Throughput(String series, double itemsPerSecond, List<Limit> limits) {
    /** That of the chart. */
    public static final double PERCENTILE = 99.99;
}
