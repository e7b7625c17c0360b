package dev.baton.micrometer;

import dev.baton.status.PartStatus;

/** The increase of a position since it was first read; a position that decreases starts a new count. Thread-safe. */
final class Growth {
    private long seen = PartStatus.UNKNOWN;
    private long sum;

    /** Returns the sum with the present position, which may be unknown. */
    synchronized double at(long position) {
        if (position != PartStatus.UNKNOWN) {
            if (seen != PartStatus.UNKNOWN && position > seen) {
                sum += position - seen;
            }
            seen = position;
        }
        return sum;
    }

    /** Counts from the next known position on, since another process moves it meanwhile. */
    synchronized void leave() {
        seen = PartStatus.UNKNOWN;
    }
}
