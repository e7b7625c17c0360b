package dev.baton.lab.launch;

import java.util.List;

/** The signs of a JVM that ended for lack of memory, in its own output or the kernel's. Stateless, thread-safe. */
public final class OutOfMemory {
    /** The texts of the JVM when it starts, when it runs, and for a process that the kernel killed. */
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

    /** {@return whether a message shows a lack of memory} */
    public static boolean isIn(String message) {
        return SIGNS.stream().anyMatch(message::contains);
    }
}
