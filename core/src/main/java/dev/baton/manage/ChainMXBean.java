package dev.baton.manage;

import java.util.List;

/**
 * The status of a running chain for JMX. A reading queries the chain's loops, within {@link
 * dev.baton.status.ChainStatus#PATIENCE}, unless they responded less than 500 ms ago. Attributes that a monitor reads one
 * after another are therefore of one query. There is no cost between readings. Thread-safe.
 */
public interface ChainMXBean {
    /** {@return the chain's name} */
    String getChain();

    /** {@return the phase that the chain is in: RUNNING, CLOSING, CLOSED or FAILED} */
    String getPhase();

    /** {@return the failure that stopped the chain, in one line; empty if there was none} */
    String getLastError();

    /**
     * {@return the number of stored inputs that the parts of this process have not consumed; -1 if the number of one part is
     * unknown}
     */
    long getBacklog();

    /** {@return whether every loop responded in time; a loop that did not is blocked by a callback} */
    boolean isAnswering();

    /** {@return the part that blocks a loop; empty if no part of this chain does} */
    String getBlocked();

    /** {@return lower bound of the time for which the part has blocked the loop; 0 if there is none} */
    long getBlockedMillis();

    /** {@return whether the chain runs and all its loops respond: {@link dev.baton.status.ChainHealth}} */
    boolean isHealthy();

    /**
     * {@return why the chain is not healthy, or which consumer holds one of its topics back; empty if there is nothing to
     * report}
     */
    String getReason();

    /** {@return the number of restarts so far} */
    int getRestarts();

    /** {@return a sentence for each topic without room that this chain writes here, which names the consumer that holds it back} */
    List<String> getHeldBack();

    /** {@return the parts that run in this process, in chain order} */
    List<ManagedPart> getParts();
}
