package dev.baton.lab.results;

/**
 * One second of the time line; null: unknown.
 *
 * @param endNanos from the first measured slot
 * @param sent messages since the previous entry
 * @param received since the previous entry
 * @param p50Nanos of the responses received since then; null without any, like the next two
 * @param jvmCpuCores CPU time of this JVM over wall time
 * @param brokerCpuCores CPU time of the watched processes
 * @param stealShare of all CPU time
 * @param busyShare of all CPU time, used by any process of this machine
 * @param residentBytes of this JVM
 * @param worstStallNanos longest oversleep of the probe
 * @param holding resources of the process, if they were counted in this second; null in the others
 */
public record Second(
        long endNanos,
        long sent,
        long received,
        Long p50Nanos,
        Long p99Nanos,
        Long maxNanos,
        Double jvmCpuCores,
        Double brokerCpuCores,
        Double stealShare,
        Double busyShare,
        Long residentBytes,
        Long worstStallNanos,
        ResourceUsage holding) {

    /** Returns the figures that a process elsewhere reports, without messages. */
    public static Second ofProcess(long endNanos, Double cpuCores, ResourceUsage holding) {
        return new Second(
                endNanos, 0, 0, null, null, null, cpuCores, null, null, null, holding.anonymousBytes(), null, holding);
    }

    public Second holding(ResourceUsage counted) {
        return new Second(
                endNanos,
                sent,
                received,
                p50Nanos,
                p99Nanos,
                maxNanos,
                jvmCpuCores,
                brokerCpuCores,
                stealShare,
                busyShare,
                residentBytes,
                worstStallNanos,
                counted);
    }
}
