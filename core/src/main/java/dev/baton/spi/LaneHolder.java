package dev.baton.spi;

import java.util.Set;

/**
 * What a process does about the lanes that its membership brings and takes. Called by the membership's one thread, which
 * waits for each call: while one runs, the group waits as well.
 */
public interface LaneHolder {
    /** From here on these lanes are this process's and nobody else's. May block. */
    void take(Set<Integer> lanes);

    /** These lanes go to others once this returns: everything in hand is passed on and stored by then. */
    void giveUp(Set<Integer> lanes);

    /** These lanes may be others' already: nothing more is written or acknowledged. */
    void lose(Set<Integer> lanes);

    /** The membership has ended by itself; the lanes held were {@linkplain #lose lost} before. */
    void fail(TransportException cause);
}
