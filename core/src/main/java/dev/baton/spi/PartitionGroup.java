package dev.baton.spi;

import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.Set;

/**
 * A group of processes that share the partitions of a topic, as one of them joins it. Immutable, thread-safe.
 *
 * @param name name of the group, the same in all of these processes
 * @param topic topic whose partitions are shared, without a partition
 * @param partitions number of partitions of the topic
 * @param member unique name of the process, which it keeps when it is started again
 * @param sessionTimeout time without a sign of life after which a member loses its partitions
 * @param revokeTimeout maximum time that {@link PartitionListener#revoked} takes
 */
public record PartitionGroup(
        String name, String topic, int partitions, String member, Duration sessionTimeout, Duration revokeTimeout) {
    /** The membership of one process in a {@link PartitionGroup}, from {@link Transport#join} until it is closed. Thread-safe. */
    public interface GroupMembership {
        /**
         * Makes the listener release all partitions, and ends the membership. Waits on an interrupted thread as well, as the
         * caller releases next what the partitions use. Idempotent.
         *
         * @param isLeaving whether the partitions move to the other members at once; otherwise they wait for this member to return
         *     within the session timeout
         * @param limit time after which this method returns although the close has not finished
         * @return whether the close finished within the limit
         */
        boolean close(boolean isLeaving, Duration limit);
    }

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
}
