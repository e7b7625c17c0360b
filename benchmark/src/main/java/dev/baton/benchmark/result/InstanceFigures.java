package dev.baton.benchmark.result;

/**
 * One instance, judged on its own histogram: two digits, rounded up to the microsecond.
 *
 * @param instance counted from 1
 * @param count responses recorded
 * @param p50Nanos null when nothing was recorded, like the others
 * @param sent by its generator, warm-up included
 * @param faults lost, duplicated, reordered and corrupted together
 */
public record InstanceFigures(
        int instance,
        long count,
        Long p50Nanos,
        Long p99Nanos,
        Long p999Nanos,
        Long maxNanos,
        long sent,
        long faults) {}
