package dev.baton.measuring.machine;

import dev.baton.measuring.data.HostActivity.RunQueue;
import java.util.List;

/**
 * Divides the time in which the threads of a trial waited for a core between other processes and the trial's own threads.
 *
 * <p>The kernel counts how long a thread was ready and had no core (its run-queue delay: {@code schedstat}), but not which thread had the
 * core meanwhile. A thread waits only while others run. So of its wait the part {@code o / (o + t - r)} is due to other processes: o is the
 * CPU time that other processes used on the trial's cores, t that of all threads of the trial, r its own. That is exact for one busy thread
 * with other processes, and where cores are shared evenly. Several threads may wait at the same time for one core; therefore the sum is
 * limited twice:
 * <ul>
 * <li>Other processes took no more than they used: o.
 * <li>They took no more than the trial could still have had: the cores that it may use, less what it used. A trial that has all of its
 * cores, or all that its container may use, lacks more only because of its own threads, whatever it waited.
 * </ul>
 * Stateless, thread-safe.
 */
final class Contention {
    private Contention() {}

    /**
     * Returns the figures of a window.
     *
     * @param threads of the trial, with their times within the window
     * @param othersCores CPU time of other processes on the cores that the trial may use, over wall time
     * @param mostCores number of cores that the trial may use
     */
    static RunQueue of(List<Reading.TaskTimes> threads, double othersCores, int mostCores, long windowNanos) {
        double used = 0;
        double waited = 0;
        for (Reading.TaskTimes thread : threads) {
            used += thread.ranNanos() / (double) windowNanos;
            waited += thread.waitedNanos() / (double) windowNanos;
        }
        double taken = 0;
        for (Reading.TaskTimes thread : threads) {
            double rest = Math.max(0, used - thread.ranNanos() / (double) windowNanos);
            double part = othersCores <= 0 ? 0 : othersCores / (othersCores + rest);
            taken += part * thread.waitedNanos() / windowNanos;
        }
        double most = Math.max(0, Math.min(othersCores, mostCores - used));
        return new RunQueue(used, waited, Math.min(taken, most));
    }
}
