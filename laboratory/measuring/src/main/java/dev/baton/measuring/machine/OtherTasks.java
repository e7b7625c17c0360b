package dev.baton.measuring.machine;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The threads of this JVM that are not watched individually, in groups: compilers, collectors, the rest. Threads start and end: {@link
 * #look} finds the new ones. Most of the rest always sleep; those that have not run between two scans are not read until the next one, as
 * every reading costs some microseconds. Confined to one thread.
 */
final class OtherTasks implements AutoCloseable {
    enum Group {
        COMPILERS,
        COLLECTORS,
        REST;

        /**
         * The threads that only collect garbage: those of the Parallel and G1 collectors, of ZGC with (Z) and, in JDK 21 to 23, without
         * generations (X), and of Shenandoah. The Serial collector has none: it works in the VM thread.
         */
        private static final Pattern COLLECTING =
                Pattern.compile("GC |G1 |[ZX](Director|Driver|Stat|Uncommit|Unmapper|Worker)|Shenandoah");

        /** Returns the group of a thread by the beginning of the name that HotSpot gives it, of which the kernel keeps 15 characters. */
        static Group of(String name) {
            if (name.startsWith("C1 ") || name.startsWith("C2 ") || name.startsWith("JVMCI")) {
                return COMPILERS;
            }
            return COLLECTING.matcher(name).lookingAt() ? COLLECTORS : REST;
        }
    }

    private static final KernelTree TASKS = KernelTree.OF_THIS_MACHINE.in("proc/self/task");

    private static final class Task {
        private final Group group;
        private final TaskCounters counters;
        private boolean isAwake = true;
        private boolean hasRun;

        private Task(Group group, TaskCounters counters) {
            this.group = group;
            this.counters = counters;
        }

        private boolean isRead() {
            return isAwake || group != Group.REST;
        }
    }

    private final Set<Long> watched;
    private final Map<Long, Task> tasks = new HashMap<>();
    private final long[] ranNanos = new long[Group.values().length];

    /**
     * Creates the groups.
     *
     * @param watched threads outside of the groups
     */
    OtherTasks(Set<Long> watched) {
        this.watched = watched;
    }

    /** Finds threads that are new, and forgets those that have ended. */
    void look() {
        Set<Long> found = new HashSet<>();
        for (String name : TASKS.entries("", "[0-9]*")) {
            long task = Long.parseLong(name);
            found.add(task);
            if (!watched.contains(task) && !tasks.containsKey(task)) {
                add(task);
            }
        }
        wakeAndSleep();
        tasks.entrySet().removeIf(each -> {
            if (found.contains(each.getKey())) {
                return false;
            }
            each.getValue().counters.close();
            return true;
        });
    }

    /** Reads sleeping tasks once; their time since the last scan belongs to no slice. */
    private void wakeAndSleep() {
        for (Task task : tasks.values()) {
            if (!task.isRead()) {
                task.hasRun = task.counters.read() && task.counters.ranNanos() > 0;
            }
            task.isAwake = task.hasRun;
            task.hasRun = false;
        }
    }

    private void add(long task) {
        TaskCounters counters = TaskCounters.of(task, false);
        if (counters != null) {
            String name = Objects.requireNonNullElse(TASKS.line(task + "/comm"), "");
            tasks.put(task, new Task(Group.of(name), counters));
        }
    }

    void read() {
        Arrays.fill(ranNanos, 0);
        for (Task task : tasks.values()) {
            if (task.isRead() && task.counters.read()) {
                long ran = task.counters.ranNanos();
                ranNanos[task.group.ordinal()] += ran;
                task.hasRun |= ran > 0;
            }
        }
    }

    /** CPU time between the last two readings. */
    long ranNanos(Group group) {
        return ranNanos[group.ordinal()];
    }

    @Override
    public void close() {
        tasks.values().forEach(each -> each.counters.close());
        tasks.clear();
    }
}
