package dev.baton.measuring.machine;

import dev.baton.measuring.Threads;
import dev.baton.measuring.machine.Evidence.Slice;
import dev.baton.measuring.machine.Evidence.Watched;
import dev.baton.measuring.machine.OtherTasks.Group;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that reads the kernel's counters at an interval: how long each watched thread ran and waited for a core, which threads of this
 * JVM ran meanwhile, and the stolen time. {@link #start} and {@link #stop} are called by one thread.
 */
final class KernelWatch {
    /** 67 minutes at 20 ms; later slices are omitted. */
    static final int MOST_SLICES = 200_000;

    private static final long LOOK_NANOS = 1_000_000_000;

    private final long periodNanos;
    private final List<Long> tasks;
    private final Thread thread;
    private final List<Slice> slices = new ArrayList<>(); // of the thread, until it has ended, like the next three
    private boolean isStealAbsent;
    private boolean isTimeAbsent;
    private long dropped;
    private volatile boolean isStopping;

    /**
     * Creates a watch.
     *
     * @param tasks the watched threads, by the kernel's numbers
     */
    KernelWatch(List<Long> tasks, long periodNanos) {
        this.tasks = List.copyOf(tasks);
        this.periodNanos = periodNanos;
        thread = new Thread(this::run, "baton-lab-cores");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    Thread thread() {
        return thread;
    }

    private void run() {
        Set<Long> watchedTasks = new HashSet<>(tasks);
        List<TaskCounters> watched = new ArrayList<>();
        tasks.forEach(task -> watched.add(TaskCounters.of(task, true)));
        isTimeAbsent = watched.contains(null);
        try (OtherTasks others = new OtherTasks(watchedTasks);
                StolenTime stolen = new StolenTime()) {
            isStealAbsent = stolen.isAbsent();
            if (!isTimeAbsent) {
                read(watched, others, stolen);
            }
        } finally {
            watched.stream().filter(each -> each != null).forEach(TaskCounters::close);
        }
    }

    private void read(List<TaskCounters> watched, OtherTasks others, StolenTime stolen) {
        others.look();
        others.read();
        watched.forEach(TaskCounters::read);
        stolen.since();
        long before = System.nanoTime();
        long nextLook = before + LOOK_NANOS;
        long due = before + periodNanos;
        while (!isStopping) {
            LockSupport.parkNanos(Math.max(1, due - System.nanoTime()));
            if (System.nanoTime() - due < 0) {
                continue;
            }
            others.read();
            List<Watched> since = new ArrayList<>(watched.size());
            for (TaskCounters each : watched) {
                each.read();
                since.add(each.since());
            }
            long now = System.nanoTime();
            keep(new Slice(
                    before,
                    now,
                    since,
                    others.ranNanos(Group.COMPILERS),
                    others.ranNanos(Group.COLLECTORS),
                    others.ranNanos(Group.REST),
                    stolen.since()));
            before = now;
            due = Math.max(due + periodNanos, now);
            if (now - nextLook >= 0) {
                nextLook = now + LOOK_NANOS;
                others.look();
            }
        }
    }

    private void keep(Slice slice) {
        if (slices.size() < MOST_SLICES) {
            slices.add(slice);
        } else {
            dropped++;
        }
    }

    /** Ends the thread. @return its slices */
    List<Slice> stop() {
        isStopping = true;
        Threads.awaitEnd(thread, 2_000);
        return thread.isAlive() ? List.of() : slices;
    }

    /** {@return the counters that it could not read; after {@link #stop}} */
    List<String> absent() {
        List<String> absent = new ArrayList<>();
        if (isTimeAbsent) {
            absent.add("time that threads waited for a core: no /proc/self/task/TID/schedstat");
        }
        if (isStealAbsent) {
            absent.add("steal: no /proc/stat");
        }
        if (dropped > 0) {
            absent.add("the kernel's counters after the first " + MOST_SLICES + " readings");
        }
        return absent;
    }

    /** The time that the hypervisor gave to other guests, core by core, in the kernel's steps of 10 ms. Confined to one thread. */
    private static final class StolenTime implements AutoCloseable {
        private static final int MOST_BYTES = 64 << 10;
        private static final int MOST_CORES = 1024;
        private static final long TICK_NANOS = 10_000_000;
        private static final int STEAL_WORD = 8;

        private final KernelFile file = KernelFile.open(Path.of("/proc/stat"), MOST_BYTES);
        private final long[] ticks = new long[MOST_CORES];

        StolenTime() {
            Arrays.fill(ticks, -1);
        }

        boolean isAbsent() {
            return file == null;
        }

        /** {@return the stolen time since the last call, only of cores that lost any} */
        List<Evidence.Stolen> since() {
            if (file == null || !file.read()) {
                return List.of();
            }
            List<Evidence.Stolen> stolen = List.of();
            for (int line = 0; line >= 0 && file.has(line, "cpu"); line = file.nextLine(line)) {
                if (file.has(line, "cpu ")) {
                    continue;
                }
                int core = (int) file.number(line + 3, 0);
                if (core < 0 || core >= MOST_CORES) {
                    continue;
                }
                long now = file.number(line, STEAL_WORD);
                if (ticks[core] >= 0 && now > ticks[core]) {
                    stolen = stolen.isEmpty() ? new ArrayList<>() : stolen;
                    stolen.add(new Evidence.Stolen(core, (now - ticks[core]) * TICK_NANOS));
                }
                ticks[core] = now;
            }
            return stolen;
        }

        @Override
        public void close() {
            if (file != null) {
                file.close();
            }
        }
    }
}
