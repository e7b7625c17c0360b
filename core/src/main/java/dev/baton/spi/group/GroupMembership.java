package dev.baton.spi.group;

import dev.baton.spi.Transport;
import java.time.Duration;

/** The membership of one process in a {@link PartitionGroup}, from {@link Transport#join} until it is closed. Thread-safe. */
public interface GroupMembership {
    /**
     * Makes the listener release all partitions, and ends the membership. Idempotent.
     *
     * @param isLeaving whether the partitions move to the other members at once; otherwise they wait for this member to return
     *     within the session timeout
     * @param limit time after which this method returns although the close has not finished
     * @return whether the close finished within the limit
     */
    boolean close(boolean isLeaving, Duration limit);
}
