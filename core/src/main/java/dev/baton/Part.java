package dev.baton;

import dev.baton.spi.Connection;
import dev.baton.spi.TopicWriter;

/**
 * One runner of the relay: a source that feeds the first topic, a service between two topics, or the outlet's consumer.
 * Parts of one {@link Section} take their turns in chain order. Confined to its loop, but for {@link #drainedAt}.
 */
abstract class Part implements Upstream {
    private volatile long drainedAt = NOT_YET;

    abstract void open(Connection connection);

    /** One turn; answers with the work done. */
    abstract int doWork();

    abstract long deadlineNanos();

    /** Where this part writes; {@link NoOutput} at the end of the chain. */
    abstract TopicWriter writer();

    /** Whether this part is done for good once its chain is closing. */
    abstract boolean isDrained();

    /** Where it stands. Called between two turns, also after it failed; not before it is open. */
    abstract PartStatus status();

    abstract void close();

    /** Called after each turn while the chain is closing. */
    final void checkDrained() {
        if (drainedAt == NOT_YET && isDrained()) {
            drainedAt = writer().sequence();
        }
    }

    @Override
    public final long drainedAt() {
        return drainedAt;
    }
}
