package dev.baton.aeron.driver;

import java.util.function.Supplier;
import org.agrona.concurrent.AgentInvoker;

/**
 * Calls Aeron as if the calling thread were not interrupted, which it is again afterwards. Aeron takes an interrupt for the end
 * of its client or its driver, and Java lets no interrupted thread map a file; but here the thread is any one that sends, or
 * that runs the services of users. Stateless.
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

    /** Does something that ends soon. */
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
