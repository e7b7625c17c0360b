package dev.baton.measuring.data;

import java.util.List;

/**
 * What the machine did to everyone on it, during the measurement.
 *
 * @param stealShare part of all CPU time that the hypervisor gave to other guests, from 0 to 1; null off Linux
 * @param worstStealShare the same of the worst single CPU
 * @param busyShare part of all CPU time that was used by anyone on this machine; null off Linux
 * @param otherProcessesCores CPU time of processes other than this JVM and the watched ones, over wall time; null off
 *     Linux
 * @param worstStallNanos longest oversleep of a thread that sleeps for 2 ms; includes pauses of this JVM
 * @param stalls oversleeps over 10 ms, longest first, a few
 */
public record HostActivity(
        Double stealShare,
        Double worstStealShare,
        Double busyShare,
        Double otherProcessesCores,
        long worstStallNanos,
        List<Stall> stalls) {

    public HostActivity {
        stalls = stalls == null ? List.of() : List.copyOf(stalls);
    }

    /**
     * One stall.
     *
     * @param atNanos when it ended, from the first measured slot; negative when that was just before it, as the watch begins
     *     some milliseconds early
     * @param nanos how long
     * @param cause what most likely held everyone up
     */
    public record Stall(long atNanos, long nanos, Cause cause) {}

    /** Who stalled. */
    public enum Cause {
        /** Safepoints of this JVM, collections mostly, cover most of it. */
        JVM,
        /** All CPUs were busy with this JVM and the broker: too much was asked of the machine. */
        BUSY,
        /** All CPUs were busy, and processes that are no part of the trial had a good share of that. */
        OTHER_PROCESSES,
        /** None of these: the host did not run a machine that had something to run. */
        HOST;

        /** Whether the trial had no part in it. */
        public boolean isForeign() {
            return this == OTHER_PROCESSES || this == HOST;
        }
    }
}
