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
 * @param runQueue waits of the trial's threads for a core; null where the kernel does not count them
 * @param worstStallNanos longest oversleep of a thread that sleeps for 2 ms; includes pauses of this JVM
 * @param stalls oversleeps over 10 ms, longest first, a few
 */
public record HostActivity(
        Double stealShare,
        Double worstStealShare,
        Double busyShare,
        Double otherProcessesCores,
        RunQueue runQueue,
        long worstStallNanos,
        List<Stall> stalls) {
    private static final double LEAST_USE = 1e-6; // of a trial that was given nothing

    public HostActivity {
        stalls = stalls == null ? List.of() : List.copyOf(stalls);
    }

    /**
     * The trial's threads on the kernel's run queues: those of its JVMs and brokers, without the instruments.
     *
     * @param usedCores CPU time that they used, over wall time
     * @param waitedCores time in which they were ready to run and had no core, all together, over wall time
     * @param takenCores CPU time that other processes took from them, over wall time: the part of the waits that is not due to
     *     the trial's own threads
     */
    public record RunQueue(double usedCores, double waitedCores, double takenCores) {}

    /**
     * The CPU time that the trial asked for and did not get, as parts of all that it asked for.
     *
     * @param byHost part that the hypervisor gave to other guests
     * @param byOthers part that other processes took
     */
    public record Withheld(double byHost, double byOthers) {
        public double share() {
            return byHost + byOthers;
        }
    }

    /**
     * Returns the CPU time that was withheld from the trial. Stolen time counts in proportion to the trial's use of the
     * machine: a host that withholds a tenth of what everyone here asks for withholds a tenth of what the trial asks for.
     */
    public Withheld withheld() {
        double stolen = stealShare == null || busyShare == null ? 0 : toUse(stealShare, busyShare);
        double taken = runQueue == null ? 0 : toUse(runQueue.takenCores(), runQueue.usedCores());
        double asked = 1 + stolen + taken;
        return new Withheld(stolen / asked, taken / asked);
    }

    /** Returns what was not had for each unit that was used. */
    private static double toUse(double withheld, double used) {
        return withheld <= 0 ? 0 : withheld / Math.max(used, LEAST_USE);
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
        /** Someone stopped this process: its threads neither ran nor waited for a core, and were woken to stop. */
        STOPPED,
        /** None of these: the host did not run a machine that had something to run. */
        HOST;

        /** Whether the trial had no part in it. */
        public boolean isForeign() {
            return this == OTHER_PROCESSES || this == STOPPED || this == HOST;
        }
    }
}
