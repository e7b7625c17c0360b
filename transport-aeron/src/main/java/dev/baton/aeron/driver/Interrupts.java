package dev.baton.aeron.driver;

import java.util.function.Supplier;
import org.agrona.concurrent.AgentInvoker;

/**
 * Calls of Aeron without the interrupt of the calling thread, which is restored afterwards. Aeron ends its client or driver on an
 * interrupt, and Java refuses to map a file in an interrupted thread; the calling thread may be any that sends, or one that runs
 * the services of users. Stateless.
 */
public final class Interrupts {
    private Interrupts() {}

    /** Gives an agent a turn. Allocates nothing. */
    public static void invoke(AgentInvoker invoker) {
        boolean isInterrupted = Thread.interrupted();
        try {
            invoker.invoke();
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Runs a short task without the interrupt. */
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
