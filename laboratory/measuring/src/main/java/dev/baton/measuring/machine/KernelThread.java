package dev.baton.measuring.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The calling thread in Linux: its number, and the timer slack of its sleeps. Stateless, thread-safe. */
public final class KernelThread {
    private static final Path SELF = Path.of("/proc/thread-self");

    /** The shortest slack; 0 would select the process's default of 50 us. */
    private static final String LEAST_SLACK_NANOS = "1";

    private KernelThread() {}

    /** Returns the kernel's number of the calling thread, unique on this machine while the thread lives; -1 off Linux. */
    public static long number() {
        try {
            return Long.parseLong(Files.readSymbolicLink(SELF).getFileName().toString());
        } catch (IOException | RuntimeException absent) {
            return -1;
        }
    }

    /**
     * Sets the timer slack of the calling thread to a nanosecond: the time by which the kernel may delay the end of its sleeps, 50 us by
     * default. A thread needs no privilege to change its own.
     *
     * @return whether the kernel accepted it
     */
    public static boolean shortenTimerSlack() {
        Path slack = Path.of("/proc", Long.toString(number()), "timerslack_ns");
        try {
            if (!Files.isWritable(slack)) {
                return false;
            }
            Files.writeString(slack, LEAST_SLACK_NANOS);
            return true;
        } catch (IOException | RuntimeException refused) {
            return false;
        }
    }
}
