package dev.baton.aeron.driver;

import org.agrona.concurrent.AgentInvoker;

/**
 * Turns of Aeron's agents on the calling thread, without its interrupt, which is restored afterwards: Aeron ends its client
 * or driver on an interrupt, and the calling thread may be any that sends, or one that runs the services of users.
 * Stateless.
 */
public final class AgentTurns {
    private AgentTurns() {}

    /** Gives an agent a turn. Allocates nothing. */
    public static void invoke(AgentInvoker invoker) {
        boolean wasInterrupted = Thread.interrupted();
        try {
            invoker.invoke();
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
