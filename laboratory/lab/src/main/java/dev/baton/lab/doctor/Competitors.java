package dev.baton.lab.doctor;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Who else ran while the machine was watched. Immutable, thread-safe.
 *
 * @param cores that this process may use
 * @param users of CPU, the largest first
 */
record Competitors(int cores, List<User> users) implements Reading {
    private static final int NAMED = 3;

    /** Of one core; less is not worth a name. */
    private static final double NOTABLE = 0.01;

    /**
     * One process.
     *
     * @param coresUsed CPU time over time
     */
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
                .map(each -> each.name() + " (" + each.pid() + ") " + Figures.percent(each.coresUsed()))
                .collect(Collectors.joining(", "));
        String pids = notable.stream().map(each -> Long.toString(each.pid())).collect(Collectors.joining(","));
        return List.of(Finding.of(
                GradeLetter.below(used / cores, 0.02, 0.05, 0.1, 0.3, 0.8),
                "competitors",
                names.isEmpty() ? "nobody used a percent of a core" : "of a core: " + names,
                "what they run, a message waits for",
                notable.isEmpty()
                        ? "ps -eo pcpu,pid,args --sort=-pcpu | head"
                        : "ps -fp " + pids + ", and stop what is yours"));
    }
}
