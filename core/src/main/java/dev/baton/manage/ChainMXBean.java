package dev.baton.manage;

import java.util.List;

/**
 * A running chain as a monitor sees it. A reading asks the chain's loops, within {@link
 * dev.baton.ChainStatus#PATIENCE}, unless they answered less than 500 ms ago: all attributes that a monitor reads in a row
 * come from one answer. Between readings it costs nothing. Thread-safe.
 */
public interface ChainMXBean {
    /** {@return the chain's name} */
    String getChain();

    /** {@return the phase that the chain is in: RUNNING, CLOSING, CLOSED or FAILED} */
    String getPhase();

    /** {@return what stopped the chain, in one line; empty while nothing has} */
    String getLastError();

    /** {@return the inputs stored that the parts of this process have not consumed; -1 when one of them is unknown} */
    long getBacklog();

    /** {@return whether every loop answered in time; one that did not is held up by a callback} */
    boolean isAnswering();

    /** {@return the part that holds a loop up; empty when none of this chain does} */
    String getBlocked();

    /** {@return for how long the part has been seen to hold it up, at least; 0 when there is none} */
    long getBlockedMillis();

    /** {@return the parts that run in this process, in chain order} */
    List<ManagedPart> getParts();
}
