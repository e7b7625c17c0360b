package dev.baton.lab.doctor;

import dev.baton.measuring.machine.KernelTree;
import dev.baton.operations.terminal.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The other processes that ran while the machine was watched. Immutable, thread-safe.
 *
 * @param cores that this process may use
 * @param users of CPU, the largest first
 */
record Competitors(int cores, List<User> users) implements Diagnosis.Reading {
    private static final int NAMED = 3;

    /** The least share of one core that is reported. */
    private static final double NOTABLE = 0.01;

    /** One process. @param coresUsed CPU time over time */
    record User(long pid, String name, double coresUsed) {}

    Competitors {
        users = List.copyOf(users);
    }

    @Override
    public List<Finding> findings() {
        double used = users.stream().mapToDouble(User::coresUsed).sum();
        List<User> notable = users.stream()
                .filter(each -> each.coresUsed() >= NOTABLE)
                .limit(NAMED)
                .toList();
        String names = notable.stream()
                .map(each -> each.name() + " (" + each.pid() + ") " + Units.percent(each.coresUsed()))
                .collect(Collectors.joining(", ", "", " of a core"));
        String pids = notable.stream().map(each -> Long.toString(each.pid())).collect(Collectors.joining(","));
        return List.of(Finding.of(
                GradeLetter.below(used / cores, 0.02, 0.05, 0.1, 0.3, 0.8),
                "competitors",
                notable.isEmpty() ? "no other process used a percent of a core" : names,
                "messages wait while these processes run",
                notable.isEmpty()
                        ? "ps -eo pcpu,pid,args --sort=-pcpu | head"
                        : "ps -fp " + pids + ", and stop your own"));
    }

    /**
     * The CPU time that every process has used so far, to 10 ms. Immutable, thread-safe.
     *
     * @param byPid of the processes that are visible
     */
    record Times(Map<Long, Used> byPid) {
        private static final double TICK_NANOS = 10_000_000;

        /** Fields of {@code stat} behind the name: the program's own time and the kernel's for it. */
        private static final int USER = 11;

        private static final int SYSTEM = 12;

        /** One process. */
        record Used(String name, long ticks) {}

        static Times read(KernelTree tree) {
            Map<Long, Used> all = new HashMap<>();
            for (String pid : tree.entries("proc", "[0-9]*")) {
                String stat = tree.line("proc/" + pid + "/stat");
                Used used = stat == null ? null : parse(stat);
                if (used != null) {
                    all.put(Long.parseLong(pid), used);
                }
            }
            return new Times(all);
        }

        /** Splits the fields behind the name, which may contain blanks and parentheses. */
        private static Used parse(String stat) {
            int open = stat.indexOf('(');
            int close = stat.lastIndexOf(')');
            String[] fields = stat.substring(close + 1).trim().split(" ");
            if (open < 0 || close < open || fields.length <= SYSTEM) {
                return null;
            }
            return new Used(
                    stat.substring(open + 1, close), Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM]));
        }

        /** Returns the CPU use of all processes but one since an earlier reading, the largest first. */
        List<User> since(Times earlier, long nanos, long except) {
            List<User> users = new ArrayList<>();
            byPid.forEach((pid, used) -> {
                Used before = earlier.byPid.get(pid);
                long ticks = used.ticks() - (before == null ? 0 : before.ticks());
                if (ticks > 0 && pid != except) {
                    users.add(new User(pid, used.name(), ticks * TICK_NANOS / nanos));
                }
            });
            users.sort(Comparator.comparingDouble(User::coresUsed).reversed());
            return users;
        }
    }
}
