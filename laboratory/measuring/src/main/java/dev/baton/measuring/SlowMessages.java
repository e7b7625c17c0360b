package dev.baton.measuring;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The slowest messages of one recorder, kept with their times so that they can be explained at the end.
 *
 * <p>Only the end shows which messages lie above a percentile. So the slowest are kept, whatever the percentile; every other message costs
 * one comparison. The result is exact as long as no more messages lie above the percentile than there is room for. A threshold that follows
 * the percentile would lose the messages that arrived while it was too high.
 *
 * <p>A replacement takes 55 ns, which matters only in a growing backlog, where each of millions of messages a second is slower than all
 * before it. There 125,000 a second are kept, 0.7 % of a core, after a credit that is larger than latencies without a trend need at any
 * rate.
 *
 * <p>{@link #keep} is called by the recorder's thread; if several share a recorder, one at a time keeps its message and the others continue
 * without. {@link #forEach} is called when those threads have ended.
 */
final class SlowMessages {
    /** The time that a replacement uses up; a budget of 125,000 a second. */
    private static final long NANOS_EACH = 8_000;

    /** Entries that may be taken in advance, as a multiple of the room; first to fill the room, then to replace. */
    private static final int CREDIT = 5;

    private final LongestHeap heap;
    private final boolean isShared;
    private final long mostDebtNanos;
    private long paidUntilNanos = Long.MIN_VALUE / 2; // before all moments, by less than a difference can tell
    private long barNanos = -1;

    private final AtomicBoolean isBusy = new AtomicBoolean();

    /**
     * Creates the storage.
     *
     * @param isShared whether several threads keep messages
     */
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
        if (tryPay(slotNanos + responseNanos)) {
            heap.offer(slotNanos, responseNanos, sendDelayNanos, previousNanos);
            barNanos = heap.barNanos();
        }
        if (isShared) {
            isBusy.setRelease(false);
        }
    }

    private boolean tryPay(long nowNanos) {
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
