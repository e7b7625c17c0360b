package dev.baton.lab.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The CPU time that every process has used so far, to 10 ms. Immutable, thread-safe.
 *
 * @param byPid of the processes that are visible
 */
record ProcessTimes(Map<Long, Used> byPid) {
    private static final double TICK_NANOS = 10_000_000;

    /** Fields of {@code stat} behind the name: the program's own time and the kernel's for it. */
    private static final int USER = 11;

    private static final int SYSTEM = 12;

    /** One process. */
    record Used(String name, long ticks) {}

    static ProcessTimes read(KernelTree tree) {
        Map<Long, Used> all = new HashMap<>();
        for (Path process : tree.entries("proc", "[0-9]*")) {
            String stat = tree.line("proc/" + process.getFileName() + "/stat");
            Used used = stat == null ? null : parse(stat);
            if (used != null) {
                all.put(Long.parseLong(process.getFileName().toString()), used);
            }
        }
        return new ProcessTimes(all);
    }

    /** The name may hold blanks and parentheses: fields count from behind the last one. */
    private static Used parse(String stat) {
        int open = stat.indexOf('(');
        int close = stat.lastIndexOf(')');
        String[] fields = stat.substring(close + 1).trim().split(" ");
        if (open < 0 || close < open || fields.length <= SYSTEM) {
            return null;
        }
        return new Used(stat.substring(open + 1, close), Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM]));
    }

    /** What all but one process used since an earlier reading, the largest first. */
    List<Competitors.User> since(ProcessTimes earlier, long nanos, long except) {
        List<Competitors.User> users = new ArrayList<>();
        byPid.forEach((pid, used) -> {
            Used before = earlier.byPid.get(pid);
            long ticks = used.ticks() - (before == null ? 0 : before.ticks());
            if (ticks > 0 && pid != except) {
                users.add(new Competitors.User(pid, used.name(), ticks * TICK_NANOS / nanos));
            }
        });
        users.sort(Comparator.comparingDouble(Competitors.User::coresUsed).reversed());
        return users;
    }
}
