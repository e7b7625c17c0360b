package dev.baton.measuring.machine;

import dev.baton.measuring.data.GeneratorUse;
import dev.baton.measuring.data.Memory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * All counters at one moment; differences of two readings make figures. Null: the system does not tell.
 *
 * @param nanos when, on the clock of {@link System#nanoTime}
 */
record Reading(
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
        List<TaskTimes> generators) {
    /**
     * The kernel's times of one thread so far.
     *
     * @param ranNanos on a core
     * @param waitedNanos ready to run, without a core
     */
    record TaskTimes(long ranNanos, long waitedNanos) {
        /** Reads them; zeros for a thread that has ended, and where the kernel does not count. */
        static TaskTimes of(long task) {
            try (TaskCounters counters = TaskCounters.of(task, false)) {
                return counters == null ? new TaskTimes(0, 0) : counters.total();
            }
        }
    }

    /**
     * Processes of this machine that a trial watches beside its own. Immutable.
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
     * Now.
     *
     * @param observers threads whose use is told apart; null for what the time line shows: the rest walks all threads, so
     *     it is taken at the two ends of a window only
     */
    static Reading now(Watched watched, Collection<Thread> observers) {
        boolean isFull = observers != null;
        List<Long> own = new ArrayList<>(watched.team());
        own.add(ProcessHandle.current().pid());
        return new Reading(
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
                isFull ? watched.generators().stream().map(TaskTimes::of).toList() : List.of());
    }

    /** What a counter has counted since an earlier reading; null when one of the two lacks it. */
    Long since(Reading earlier, Function<Reading, Long> counter) {
        Long now = counter.apply(this);
        Long before = counter.apply(earlier);
        return now == null || before == null ? null : Long.valueOf(Math.max(0, now - before));
    }

    /** CPU time since an earlier reading over wall time; null when either reading lacks it. */
    Double coresSince(Reading earlier, Function<Reading, Long> cpuNanos) {
        Long used = since(earlier, cpuNanos);
        long passed = nanos - earlier.nanos;
        return used == null || passed <= 0 ? null : used / (double) passed;
    }

    /** The use of the generators' threads since an earlier reading; null without any. */
    GeneratorUse generatorSince(Reading earlier) {
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

    /** CPU time that was used by none of the trial's processes and brokers, over wall time; to 10 ms. */
    Double otherProcessesCoresSince(Reading earlier) {
        Double busy = ticks.since(earlier.ticks).busyShare();
        Double ours = coresSince(earlier, Reading::jvmCpuNanos);
        return busy == null || ours == null
                ? null
                : Double.valueOf(Math.max(
                        0,
                        busy * ticks.each().size()
                                - ours
                                - Objects.requireNonNullElse(coresSince(earlier, Reading::brokerCpuNanos), 0.0)
                                - Objects.requireNonNullElse(coresSince(earlier, Reading::siblingsCpuNanos), 0.0)));
    }
}
