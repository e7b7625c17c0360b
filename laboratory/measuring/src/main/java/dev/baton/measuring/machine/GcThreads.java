package dev.baton.measuring.machine;

import java.util.List;

/**
 * The names of the threads that collect garbage and do nothing else: those of the Parallel and G1 collectors, of ZGC with
 * (Z) and, in JDK 21 to 23, without generations (X), and of Shenandoah. The Serial collector has none: it works in the VM thread.
 * Stateless, thread-safe.
 */
final class GcThreads {
    /** By the beginning of the name that HotSpot gives its threads, of which the kernel keeps 15 characters. */
    private static final List<String> NAMES = List.of(
            "GC ",
            "G1 ",
            "ZDirector",
            "ZDriver",
            "ZStat",
            "ZUncommit",
            "ZUnmapper",
            "ZWorker",
            "XDirector",
            "XDriver",
            "XStat",
            "XUncommit",
            "XUnmapper",
            "XWorker",
            "Shenandoah");

    private GcThreads() {}

    static boolean isOne(String name) {
        return NAMES.stream().anyMatch(name::startsWith);
    }
}
