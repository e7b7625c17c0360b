package dev.baton.micrometer;

import dev.baton.status.PartStatus;

/** How far a position has moved since it was first seen; one that steps back begins anew. Thread-safe. */
final class Growth {
    private long seen = PartStatus.UNKNOWN;
    private long sum;

    /** The sum with the position of now, which may be unknown. */
    synchronized double at(long position) {
        if (position != PartStatus.UNKNOWN) {
            if (seen != PartStatus.UNKNOWN && position > seen) {
                sum += position - seen;
            }
            seen = position;
        }
        return sum;
    }
}
