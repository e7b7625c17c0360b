package dev.baton.measuring;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The slowest messages that one recorder has seen, kept with their moments so that they can be explained in the end.
 *
 * <p>Which messages will lie above a percentile is known at the end only. So the slowest are kept, whatever the
 * percentile: a message that is not among them costs one comparison. That is exact as long as no more messages than there
 * is room for lie above it. A threshold that follows the percentile, as an alternative, loses what came while it stood too
 * high.
 *
 * <p>A replacement takes 55 ns, which nobody notices but where each message of millions a second is slower than all before
 * it: in a backlog that grows. There 125,000 a second are kept, 0.7 % of a core, after a credit that is larger than what
 * latencies without a trend need at any rate.
 *
 * <p>{@link #keep}: the recorder's thread; where several share a recorder, one at a time gets in and the others go on
 * without having kept theirs. {@link #forEach}: when those threads have ended.
 */
final class SlowMessages {
    /** That a replacement uses up; a budget of 125,000 a second. */
    private static final long NANOS_EACH = 8_000;

    /** Entries that may be taken in advance, as a multiple of the room; once the room, then replacements. */
    private static final int CREDIT = 5;

    private final LongestHeap heap;
    private final boolean isShared;
    private final long mostDebtNanos;
    private long paidUntilNanos = Long.MIN_VALUE / 2; // before all moments, by less than a difference can tell
    private long barNanos = -1;

    private final AtomicBoolean isBusy = new AtomicBoolean();

    /** @param isShared whether several threads keep messages */
    SlowMessages(int most, boolean isShared) {
        this.isShared = isShared;
        heap = new LongestHeap(most);
        mostDebtNanos = CREDIT * most * NANOS_EACH;
    }

    /** A message that took no longer than this need not be offered. */
    long barNanos() {
        return barNanos;
    }

    /** Keeps a message if it is among the slowest so far. */
    void keep(long slotNanos, long sendDelayNanos, long responseNanos, long previousNanos) {
        if (isShared && !isBusy.compareAndSet(false, true)) {
            return;
        }
        if (isAffordable(slotNanos + responseNanos)) {
            heap.offer(slotNanos, responseNanos, sendDelayNanos, previousNanos);
            barNanos = heap.barNanos();
        }
        if (isShared) {
            isBusy.setRelease(false);
        }
    }

    private boolean isAffordable(long nowNanos) {
        long debt = Math.max(0, paidUntilNanos - nowNanos);
        if (debt > mostDebtNanos) {
            return false;
        }
        paidUntilNanos = nowNanos + debt + NANOS_EACH;
        return true;
    }

    void forEach(Consumer<SlowMessage> visitor) {
        heap.forEach((slot, response, sendDelay, previous) ->
                visitor.accept(new SlowMessage(slot, slot + sendDelay, slot + response, previous)));
    }
}
