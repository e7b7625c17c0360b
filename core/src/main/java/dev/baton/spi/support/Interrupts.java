package dev.baton.spi.support;

import java.util.function.Supplier;

/**
 * Tasks without the interrupt of the calling thread, which is restored afterwards. Java closes a {@link
 * java.nio.channels.FileChannel} that an interrupted thread uses and maps no file for it, and client libraries refuse to
 * work; the calling thread may be any that opens a topic, sends, or closes a chain. Stateless.
 */
public final class Interrupts {
    private Interrupts() {}

    /**
     * Runs a task without the interrupt. An interrupt that arrives meanwhile reaches the task.
     *
     * @param <T> type of the result
     * @param task short task, or one that waits for a limited time
     * @return the result of the task; its exception is rethrown
     */
    public static <T> T without(Supplier<T> task) {
        boolean wasInterrupted = Thread.interrupted();
        try {
            return task.get();
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
