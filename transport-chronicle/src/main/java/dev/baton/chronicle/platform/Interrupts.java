package dev.baton.chronicle.platform;

import java.util.function.Supplier;

/**
 * Tasks without the interrupt of the calling thread, which is restored afterwards. Java closes a {@link
 * java.nio.channels.FileChannel} that an interrupted thread uses; the calling thread may be any that opens a topic. Stateless.
 */
public final class Interrupts {
    private Interrupts() {}

    /** Runs a task, which may wait for a limited time, without the interrupt. */
    public static <T> T without(Supplier<T> task) {
        boolean isInterrupted = Thread.interrupted();
        try {
            return task.get();
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
