package dev.baton.manage;

import java.util.List;

/**
 * A running chain as a monitor sees it. A reading asks the chain's loops, within {@link
 * dev.baton.ChainStatus#PATIENCE}, unless they answered less than 500 ms ago: all attributes that a monitor reads in a row
 * come from one answer. Between readings it costs nothing. Thread-safe.
 */
public interface ChainMXBean {
    String getChain();

    /** RUNNING, CLOSING, CLOSED or FAILED. */
    String getPhase();

    /** What stopped the chain, in one line; empty while nothing has. */
    String getLastError();

    /** Inputs stored that the parts of this process have not consumed; -1 when one of them is unknown. */
    long getBacklog();

    /** Whether every loop answered in time; one that did not is held up by a callback. */
    boolean isAnswering();

    /** The part that holds a loop up; empty when none of this chain does. */
    String getBlocked();

    /** How long it has been seen to do so, at least; 0 when there is none. */
    long getBlockedMillis();

    /** The parts that run in this process, in chain order. */
    List<ManagedPart> getParts();
}
