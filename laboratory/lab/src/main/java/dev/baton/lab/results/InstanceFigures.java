package dev.baton.lab.results;

import dev.baton.measuring.InstanceHistogram;
import java.util.Comparator;

/**
 * One instance, judged on its own histogram: two digits, rounded up to the microsecond; from the slot, or from the actual send where the
 * plan's load requires that.
 *
 * @param instance counted from 1
 * @param count responses recorded
 * @param p50Nanos null when nothing was recorded, like the others
 * @param sent by its generator, warm-up included
 * @param faults lost, duplicated, reordered and corrupted together
 */
public record InstanceFigures(
        int instance, long count, Long p50Nanos, Long p99Nanos, Long p999Nanos, Long maxNanos, long sent, long faults) {

    /** The order by severity: instances with faults first, then by their tails. */
    public static final Comparator<InstanceFigures> WORST_FIRST = Comparator.comparing(InstanceFigures::faults)
            .thenComparing(InstanceFigures::p999Nanos, Comparator.nullsFirst(Comparator.naturalOrder()))
            .thenComparing(InstanceFigures::maxNanos, Comparator.nullsFirst(Comparator.naturalOrder()))
            .reversed();

    /** Returns the figures of one instance, counted from 1. */
    public static InstanceFigures of(int instance, InstanceHistogram responses, long sent, long faults) {
        boolean isEmpty = responses.count() == 0;
        return new InstanceFigures(
                instance,
                responses.count(),
                isEmpty ? null : responses.percentileNanos(50),
                isEmpty ? null : responses.percentileNanos(99),
                isEmpty ? null : responses.percentileNanos(99.9),
                isEmpty ? null : responses.maxNanos(),
                sent,
                faults);
    }
    /** Returns one of its percentiles; null for one that it does not report, or when nothing was recorded. */
    public Long nanosAt(double percentile) {
        return percentile == 50
                ? p50Nanos
                : percentile == 99 ? p99Nanos : percentile == 99.9 ? p999Nanos : percentile == 100 ? maxNanos : null;
    }
}
