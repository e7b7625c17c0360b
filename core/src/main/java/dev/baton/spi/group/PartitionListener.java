package dev.baton.spi.group;

import dev.baton.spi.errors.TransportException;
import java.util.Set;

/**
 * A listener for the partitions that a membership assigns to a process and revokes. Called by the membership's only thread,
 * which waits for each call; the group waits meanwhile as well.
 */
public interface PartitionListener {
    /**
     * Called when partitions are assigned. From now on they belong to this process only. May block.
     *
     * @param partitions numbers of the assigned partitions, from 0
     */
    void assigned(Set<Integer> partitions);

    /**
     * Called before partitions move to other processes, which they do when this method returns. By then all messages in
     * progress have to be completed and stored.
     *
     * @param partitions partitions that move, of those assigned
     */
    void revoked(Set<Integer> partitions);

    /**
     * Called when other processes may already have partitions. Nothing more may be written or acknowledged there.
     *
     * @param partitions partitions that are lost, of those assigned
     */
    void lost(Set<Integer> partitions);

    /**
     * Called when the membership has ended without a close. Its partitions were {@linkplain #lost lost} before.
     *
     * @param cause what ended it
     */
    void failed(TransportException cause);
}
