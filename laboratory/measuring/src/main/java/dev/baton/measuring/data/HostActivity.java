package dev.baton.measuring.data;

import java.util.List;

/**
 * The activity of the whole machine during the measurement.
 *
 * @param stealShare part of all CPU time that the hypervisor gave to other guests, from 0 to 1; null off Linux
 * @param worstStealShare that part of the worst single CPU
 * @param busyShare part of all CPU time that was used by any process of this machine; null off Linux
 * @param otherProcessesCores CPU time of processes other than this JVM and the watched ones, over wall time; null off Linux
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
     * The CPU time that the trial requested and did not get, as parts of all that it requested.
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
     * Returns the CPU time that was withheld from the trial. Stolen time counts in proportion to the trial's use of the machine: a host
     * that withholds a tenth of all requested CPU time withholds a tenth of the trial's.
     */
    public Withheld withheld() {
        double stolen = stealShare == null || busyShare == null ? 0 : toUse(stealShare, busyShare);
        double taken = runQueue == null ? 0 : toUse(runQueue.takenCores(), runQueue.usedCores());
        double asked = 1 + stolen + taken;
        return new Withheld(stolen / asked, taken / asked);
    }

    /** Returns the withheld time for each unit of used time. */
    private static double toUse(double withheld, double used) {
        return withheld <= 0 ? 0 : withheld / Math.max(used, LEAST_USE);
    }

    /**
     * One stall.
     *
     * @param atNanos its end, from the first measured slot; negative when that was just before it, as the watch begins some milliseconds
     * early
     * @param nanos its duration
     * @param cause the most probable one
     */
    public record Stall(long atNanos, long nanos, Cause cause) {}

    /** The cause of a stall. */
    public enum Cause {
        /** Safepoints of this JVM, collections mostly, cover most of it. */
        JVM,
        /** All CPUs were busy with this JVM and the broker: the load was too high for the machine. */
        BUSY,
        /** All CPUs were busy, a good part of it with processes outside the trial. */
        OTHER_PROCESSES,
        /** This process was stopped: its threads neither ran nor waited for a core, and were woken to stop. */
        STOPPED,
        /** None of these: the host did not run a machine that had something to run. */
        HOST;

        /** {@return whether the trial is not the cause} */
        public boolean isForeign() {
            return this == OTHER_PROCESSES || this == STOPPED || this == HOST;
        }
    }
}
