package dev.baton.measuring.machine;

import java.nio.file.Path;

/** The kernel's times of a thread of this JVM, in ns: on a core, and waiting for one. Confined to one thread. */
final class TaskCounters implements AutoCloseable {
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final int SMALL = 128;
    private static final int LARGE = 1024;

    /** The word of {@code stat}, counted from the one after the thread's name, with the core that it ran on last. */
    private static final int CORE_WORD = 36;

    private final KernelFile times;
    private final KernelFile state; // null: its core is not requested
    private long ranNanos;
    private long waitedNanos;
    private long slices;
    private int core = -1;
    private long ranBefore;
    private long waitedBefore;
    private int coreBefore = -1;

    private TaskCounters(KernelFile times, KernelFile state) {
        this.times = times;
        this.state = state;
    }

    /** {@return the counters of a thread by its kernel's number; null when it has ended, or the kernel does not count} */
    static TaskCounters of(long task, boolean withCore) {
        Path folder = TASKS.resolve(Long.toString(task));
        KernelFile times = KernelFile.open(folder.resolve("schedstat"), SMALL);
        if (times == null) {
            return null;
        }
        TaskCounters counters =
                new TaskCounters(times, withCore ? KernelFile.open(folder.resolve("stat"), LARGE) : null);
        if (!counters.read()) {
            counters.close();
            return null;
        }
        return counters;
    }

    /** Takes a new reading; the one before becomes the earlier one. @return false when the thread has ended */
    boolean read() {
        ranBefore = ranNanos;
        waitedBefore = waitedNanos;
        coreBefore = core;
        if (!times.read()) {
            return false;
        }
        ranNanos = times.number(0, 0);
        waitedNanos = times.number(0, 1);
        slices = times.number(0, 2);
        if (state != null && state.read()) {
            core = (int) state.number(state.behindLast(')'), CORE_WORD);
        }
        return true;
    }

    /** Time on a core since the earlier reading; {@link #waitedNanos} and {@link #since} count from there as well. */
    long ranNanos() {
        return ranNanos - ranBefore;
    }

    /** The counts since the thread began, as of the last reading. */
    CounterReading.TaskTimes total() {
        return new CounterReading.TaskTimes(ranNanos, waitedNanos);
    }

    long waitedNanos() {
        return waitedNanos - waitedBefore;
    }

    /** The number of times that the thread was given a core, since it began. */
    long slices() {
        return slices;
    }

    Evidence.Watched since() {
        return new Evidence.Watched(
                ranNanos - ranBefore, waitedNanos - waitedBefore, core, coreBefore >= 0 && core != coreBefore);
    }

    @Override
    public void close() {
        times.close();
        if (state != null) {
            state.close();
        }
    }
}
