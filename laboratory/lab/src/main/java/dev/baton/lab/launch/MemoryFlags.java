package dev.baton.lab.launch;

import dev.baton.lab.request.MemoryBudget;
import java.util.ArrayList;
import java.util.List;

/** The flags that hold each part of a JVM to its share of a memory budget. Stateless, thread-safe. */
public final class MemoryFlags {
    private static final int KILO = 1024;

    private MemoryFlags() {}

    /** The flags of a trial with those of a budget in place of its heap's; the collector and what was typed stay. */
    public static List<String> within(MemoryBudget budget, List<String> flags) {
        List<String> all = new ArrayList<>(flags);
        all.removeIf(flag -> flag.startsWith("-Xmx"));
        all.addAll(
                0,
                List.of(
                        "-Xmx" + kilobytes(budget.heapBytes()),
                        "-XX:MaxDirectMemorySize=" + kilobytes(budget.directBytes()),
                        "-XX:MaxMetaspaceSize=" + kilobytes(budget.metaspaceBytes()),
                        "-XX:ReservedCodeCacheSize=" + kilobytes(budget.codeBytes()),
                        "-Xss" + kilobytes(budget.stackBytes()),
                        // one clear end, from whichever thread: a JVM that lost a thread to it would only seem to run
                        "-XX:+ExitOnOutOfMemoryError",
                        "-XX:+DisplayVMOutputToStderr"));
        return List.copyOf(all);
    }

    private static String kilobytes(long bytes) {
        return bytes / KILO + "k";
    }
}
