package dev.baton.benchmark.result;

import java.util.List;

/**
 * What the machine did to everyone on it, during the measurement.
 *
 * @param stealShare part of all CPU time that the hypervisor gave to others, from 0 to 1; null off Linux
 * @param worstStealShare the same of the worst single CPU
 * @param busyShare part of all CPU time that was used by anyone on this machine; null off Linux
 * @param worstStallNanos longest oversleep of a thread that sleeps about 1 ms; includes pauses of this JVM
 * @param stalls oversleeps over 10 ms, longest first, a few
 */
public record Platform(
        Double stealShare, Double worstStealShare, Double busyShare, long worstStallNanos, List<Stall> stalls) {

    public Platform {
        stalls = stalls == null ? List.of() : List.copyOf(stalls);
    }

    /**
     * One stall.
     *
     * @param atNanos when it ended, from the first measured slot
     * @param nanos how long
     * @param cause what most likely held everyone up
     */
    public record Stall(long atNanos, long nanos, Cause cause) {}

    /** Who stalled. */
    public enum Cause {
        /** Pauses of this JVM's collector cover most of it. */
        GC,
        /** All CPUs were busy with this machine's own threads: too much was asked of it. */
        BUSY,
        /** Neither: the platform did not run a machine that had something to run. */
        PLATFORM
    }
}
