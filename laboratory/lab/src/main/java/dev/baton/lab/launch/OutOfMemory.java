package dev.baton.lab.launch;

import java.util.List;

/** Whether a JVM ended for want of memory, by what it or the kernel left behind. Stateless, thread-safe. */
public final class OutOfMemory {
    /** Of the JVM when it starts, when it runs, and of a process that the kernel killed. */
    private static final List<String> SIGNS = List.of(
            "OutOfMemoryError",
            "is too small for this trial",
            "heap",
            "Metaspace",
            "Too small",
            "insufficient memory",
            "unable to create native thread",
            "with status 137");

    private OutOfMemory() {}

    /** Whether a message tells of it. */
    public static boolean isIn(String message) {
        return SIGNS.stream().anyMatch(message::contains);
    }
}
