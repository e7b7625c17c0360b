package dev.baton.aeron.driver;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.AgentTerminationException;

/**
 * Turns of Aeron's agents on the calling thread, which may be any that sends, or one that runs the services of users. An
 * interrupt ends no agent: not one from before the turn, which is restored afterwards, and not one that arrives in the turn,
 * after which {@link AgentInvoker#invoke} would never give the agent a turn again. Stateless.
 */
public final class AgentTurns {
    private AgentTurns() {}

    /**
     * Gives an agent a turn, unless it is closed; closes it if it ends itself. Allocates nothing.
     *
     * @param errors handler of what the turn throws, as of the invoker
     */
    public static void invoke(AgentInvoker invoker, ErrorHandler errors) {
        if (invoker.isClosed()) {
            return;
        }
        boolean wasInterrupted = Thread.interrupted();
        try {
            invoker.agent().doWork();
        } catch (AgentTerminationException ended) {
            errors.onError(ended);
            invoker.close();
        } catch (Exception failed) {
            errors.onError(failed);
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
