package dev.baton.spi;

import java.time.Duration;

/** One process's place in a {@link LaneGroup}, from {@link Transport#join} until it is closed. Thread-safe. */
public interface LaneMembership {
    /**
     * Has the holder give up all lanes and ends the membership. Idempotent.
     *
     * @param isLeaving whether the lanes go to the other members at once; otherwise they wait for this member to come back
     *     within the session timeout
     * @param limit after which it is left to itself, unfinished
     * @return whether it was finished within the limit
     */
    boolean close(boolean isLeaving, Duration limit);
}
