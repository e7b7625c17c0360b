package dev.baton.spi;

import java.util.Set;

/**
 * What a process does about the partitions that its membership brings and takes. Called by the membership's one thread, which
 * waits for each call: while one runs, the group waits as well.
 */
public interface PartitionListener {
    /**
     * From here on these partitions belong to this process alone. May block.
     *
     * @param partitions that came, from 0
     */
    void assigned(Set<Integer> partitions);

    /**
     * These partitions go to others once this returns: everything in hand is passed on and stored by then.
     *
     * @param partitions that go, of those assigned
     */
    void revoked(Set<Integer> partitions);

    /**
     * These partitions may be others' already: nothing more is written or acknowledged.
     *
     * @param partitions that are gone, of those assigned
     */
    void lost(Set<Integer> partitions);

    /**
     * The membership has ended without a close; the partitions held were {@linkplain #lost lost} before.
     *
     * @param cause what ended it
     */
    void failed(TransportException cause);
}
