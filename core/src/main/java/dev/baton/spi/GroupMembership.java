package dev.baton.spi;

import java.time.Duration;

/** One process's place in a {@link PartitionGroup}, from {@link Transport#join} until it is closed. Thread-safe. */
public interface GroupMembership {
    /**
     * Has the holder give up all partitions and ends the membership. Idempotent.
     *
     * @param isLeaving whether the partitions go to the other members at once; otherwise they wait for this member to come back
     *     within the session timeout
     * @param limit after which it is left to itself, unfinished
     * @return whether it was finished within the limit
     */
    boolean close(boolean isLeaving, Duration limit);
}
