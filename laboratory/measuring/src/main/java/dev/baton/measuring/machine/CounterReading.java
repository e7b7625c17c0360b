package dev.baton.measuring.machine;

import dev.baton.measuring.data.GeneratorUse;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.data.HostActivity.RunQueue;
import dev.baton.measuring.data.Memory;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * All counters at one moment; the differences of two readings are figures. Null: unknown.
 *
 * @param nanos time on the clock of {@link System#nanoTime}
 * @param threads of the trial's processes, by the kernel's numbers, without the observers'
 */
record CounterReading(
        long nanos,
        Long jvmCpuNanos,
        Long brokerCpuNanos,
        Long siblingsCpuNanos,
        CpuTicks ticks,
        Memory memory,
        Memory brokerMemory,
        Long contextSwitches,
        Long allocatedBytes,
        Long observersCpuNanos,
        Long programCpuNanos,
        List<TaskTimes> generators,
        Map<Long, TaskTimes> threads) {
    /**
     * The kernel's times of one thread so far.
     *
     * @param ranNanos on a core
     * @param waitedNanos ready to run, without a core
     */
    record TaskTimes(long ranNanos, long waitedNanos) {
        /** Reads the times of a thread; zeros for one that has ended, and where the kernel does not count. */
        static TaskTimes of(long task) {
            try (TaskCounters counters = TaskCounters.of(task, false)) {
                return counters == null ? new TaskTimes(0, 0) : counters.total();
            }
        }

        /** Returns what was counted since an earlier reading. @param earlier null of a thread that did not run then */
        TaskTimes since(TaskTimes earlier) {
            return earlier == null
                    ? this
                    : new TaskTimes(
                            Math.max(0, ranNanos - earlier.ranNanos), Math.max(0, waitedNanos - earlier.waitedNanos));
        }
    }

    /**
     * Processes of this machine that a trial watches in addition to its own. Immutable.
     *
     * @param brokers whose use is the transport's
     * @param siblings that share the trial and watch themselves
     * @param team whose use counts as this process's: they run a part of its chains
     * @param generators the kernel's numbers of threads of this process that only generate load
     */
    record Watched(List<Long> brokers, List<Long> siblings, List<Long> team, List<Long> generators) {
        Watched {
            generators = List.copyOf(generators);
            brokers = List.copyOf(brokers);
            siblings = List.copyOf(siblings);
            team = List.copyOf(team);
        }
    }

    /**
     * Reads all counters.
     *
     * @param observers threads whose use is reported separately; null for the counters of the time line only: the others walk all threads,
     * so they are read only at the two ends of a window
     * @param observerTasks the kernel's numbers of these threads
     */
    static CounterReading now(Watched watched, Collection<Thread> observers, Set<Long> observerTasks) {
        boolean isFull = observers != null;
        List<Long> own = new ArrayList<>(watched.team());
        own.add(ProcessHandle.current().pid());
        return new CounterReading(
                System.nanoTime(),
                watched.team().isEmpty()
                        ? Jvm.cpuNanos()
                        : Processes.sum(Jvm.cpuNanos(), Processes.cpuNanos(watched.team())),
                Processes.cpuNanos(watched.brokers()),
                Processes.cpuNanos(watched.siblings()),
                CpuTicks.now(),
                Processes.memory(own),
                isFull ? Processes.memory(watched.brokers()) : null,
                isFull ? Processes.contextSwitches() : null,
                isFull ? Jvm.allocatedBytes(observers) : null,
                isFull ? Jvm.cpuNanos(observers) : null,
                isFull ? Jvm.cpuNanos(Jvm.ofTheProgram(observers)) : null,
                isFull ? watched.generators().stream().map(TaskTimes::of).toList() : List.of(),
                isFull ? threads(watched, observerTasks) : null);
    }

    /** Reads the counters that the time line shows. */
    static CounterReading now(Watched watched) {
        return now(watched, null, Set.of());
    }

    /** Returns the times of all threads of the trial; null where the kernel does not count them. */
    private static Map<Long, TaskTimes> threads(Watched watched, Set<Long> observers) {
        Map<Long, TaskTimes> threads = new HashMap<>();
        Stream.of(List.of(ProcessHandle.current().pid()), watched.team(), watched.brokers(), watched.siblings())
                .flatMap(List::stream)
                .distinct()
                .forEach(pid -> Processes.addThreads(pid, threads));
        threads.keySet().removeAll(observers);
        return threads.isEmpty() ? null : threads;
    }

    /** {@return the increase of a counter since an earlier reading; null when one of the two lacks it} */
    Long since(CounterReading earlier, Function<CounterReading, Long> counter) {
        Long now = counter.apply(this);
        Long before = counter.apply(earlier);
        return now == null || before == null ? null : Long.valueOf(Math.max(0, now - before));
    }

    /** CPU time since an earlier reading over wall time; null when either reading lacks it. */
    Double coresSince(CounterReading earlier, Function<CounterReading, Long> cpuNanos) {
        Long used = since(earlier, cpuNanos);
        long passed = nanos - earlier.nanos;
        return used == null || passed <= 0 ? null : used / (double) passed;
    }

    /** The use of the generators' threads since an earlier reading; null without any. */
    GeneratorUse generatorSince(CounterReading earlier) {
        long passed = nanos - earlier.nanos;
        if (generators.isEmpty() || generators.size() != earlier.generators.size() || passed <= 0) {
            return null;
        }
        long ran = 0;
        long worstWait = 0;
        for (int i = 0; i < generators.size(); i++) {
            ran += Math.max(
                    0, generators.get(i).ranNanos() - earlier.generators.get(i).ranNanos());
            worstWait = Math.max(
                    worstWait,
                    generators.get(i).waitedNanos() - earlier.generators.get(i).waitedNanos());
        }
        return new GeneratorUse(ran / (double) passed, worstWait / (double) passed);
    }

    /**
     * The waits of the trial's threads since an earlier reading; null when either reading lacks them. Threads that ended in
     * between are omitted.
     *
     * @param cpus that the trial may use
     * @param mostCores number of cores that the trial may use at a time, which a container may limit further
     */
    HostActivity.RunQueue runQueueSince(CounterReading earlier, BitSet cpus, int mostCores) {
        long passed = nanos - earlier.nanos;
        Double busy = ticks.since(earlier.ticks).busyCores(cpus);
        if (threads == null || earlier.threads == null || busy == null || passed <= 0) {
            return null;
        }
        List<TaskTimes> within = threads.entrySet().stream()
                .map(each -> each.getValue().since(earlier.threads.get(each.getKey())))
                .toList();
        double ours = Stream.<Function<CounterReading, Long>>of(
                        CounterReading::jvmCpuNanos, CounterReading::brokerCpuNanos, CounterReading::siblingsCpuNanos)
                .map(each -> coresSince(earlier, each))
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .sum();
        return Contention.of(within, Math.max(0, busy - ours), mostCores, passed);
    }

    /** CPU time that was used by none of the trial's processes and brokers, over wall time; to 10 ms. */
    Double otherProcessesCoresSince(CounterReading earlier) {
        Double busy = ticks.since(earlier.ticks).busyShare();
        Double ours = coresSince(earlier, CounterReading::jvmCpuNanos);
        return busy == null || ours == null
                ? null
                : Double.valueOf(Math.max(
                        0,
                        busy * ticks.each().size()
                                - ours
                                - Objects.requireNonNullElse(coresSince(earlier, CounterReading::brokerCpuNanos), 0.0)
                                - Objects.requireNonNullElse(
                                        coresSince(earlier, CounterReading::siblingsCpuNanos), 0.0)));
    }

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
    static final class Contention {
        private Contention() {}

        /**
         * Returns the figures of a window.
         *
         * @param threads of the trial, with their times within the window
         * @param othersCores CPU time of other processes on the cores that the trial may use, over wall time
         * @param mostCores number of cores that the trial may use
         */
        static RunQueue of(
                List<CounterReading.TaskTimes> threads, double othersCores, int mostCores, long windowNanos) {
            double used = 0;
            double waited = 0;
            for (CounterReading.TaskTimes thread : threads) {
                used += thread.ranNanos() / (double) windowNanos;
                waited += thread.waitedNanos() / (double) windowNanos;
            }
            double taken = 0;
            for (CounterReading.TaskTimes thread : threads) {
                double rest = Math.max(0, used - thread.ranNanos() / (double) windowNanos);
                double part = othersCores <= 0 ? 0 : othersCores / (othersCores + rest);
                taken += part * thread.waitedNanos() / windowNanos;
            }
            double most = Math.max(0, Math.min(othersCores, mostCores - used));
            return new RunQueue(used, waited, Math.min(taken, most));
        }
    }
}
