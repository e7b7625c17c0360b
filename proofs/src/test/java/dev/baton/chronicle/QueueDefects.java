package dev.baton.chronicle;

import dev.baton.chronicle.log.TopicLog;

/** The methods that planted defects of queues call. */
public final class QueueDefects {
    private QueueDefects() {}

    /** Publishes the sequence of a frame that is about to be stored. */
    public static long publishNext(TopicLog log) {
        long newest = log.newest();
        if (newest != Long.MAX_VALUE) {
            log.newest(newest + 1);
        }
        return log.holdClock();
    }
}
