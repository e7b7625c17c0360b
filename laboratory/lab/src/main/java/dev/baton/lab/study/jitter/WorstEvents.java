package dev.baton.lab.study.jitter;

import dev.baton.lab.trial.ends.ArrivalListener;
import dev.baton.measuring.LongestHeap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Keeps the longest events of a measurement without allocating.
 *
 * <p>One stall makes many messages late, so messages are put together: one that became due before its predecessor had
 * arrived belongs to the predecessor's event: a busy period of the queue. Of the events that are long enough for any
 * instrument to explain them, the longest are kept.
 *
 * <p>Confined to the receiving thread, and to its reader after that has ended.
 */
final class WorstEvents implements ArrivalListener {
    /**
     * One event.
     *
     * @param slotNanos when its longest message was due
     * @param sendDelayNanos how late that was sent
     * @param nanos how late it arrived
     * @param messages late in one go
     */
    record Kept(long slotNanos, long sendDelayNanos, long nanos, long messages) {
        long sentNanos() {
            return slotNanos + sendDelayNanos;
        }

        long endNanos() {
            return slotNanos + nanos;
        }

        /** Returns the time from the send to the arrival. */
        long serviceNanos() {
            return nanos - sendDelayNanos;
        }
    }

    private final LongSupplier measuredFrom;
    private final long leastNanos;
    private final LongestHeap heap;
    private long lastArrivalNanos;
    private long slotNanos; // of the event in progress, like the three below
    private long sendDelayNanos;
    private long nanos;
    private long messages;

    /**
     * Empty.
     *
     * @param most events to keep, 1 or more
     * @param leastNanos length of the shortest one that is kept
     * @param measuredFrom where the warm-up ends; asked once a message
     */
    WorstEvents(int most, long leastNanos, LongSupplier measuredFrom) {
        this.leastNanos = leastNanos;
        this.measuredFrom = measuredFrom;
        heap = new LongestHeap(most);
    }

    @Override
    public void onArrival(long slot, long sendDelay, long response) {
        if (slot - measuredFrom.getAsLong() < 0) {
            return;
        }
        if (messages > 0 && slot - lastArrivalNanos < 0) {
            messages++;
            if (response > nanos) {
                begin(slot, sendDelay, response);
            }
        } else {
            end();
            begin(slot, sendDelay, response);
            messages = 1;
        }
        lastArrivalNanos = slot + response;
    }

    private void begin(long slot, long sendDelay, long response) {
        slotNanos = slot;
        sendDelayNanos = sendDelay;
        nanos = response;
    }

    private void end() {
        if (messages > 0 && nanos >= leastNanos) {
            heap.offer(slotNanos, nanos, sendDelayNanos, messages);
        }
        messages = 0;
    }

    /** Returns all kept events, the longest first, with the one in progress; called after the last arrival. */
    List<Kept> longestFirst() {
        end();
        List<Kept> all = new ArrayList<>();
        heap.forEach((slot, length, sendDelay, count) -> all.add(new Kept(slot, sendDelay, length, count)));
        all.sort(Comparator.comparingLong(Kept::nanos).reversed());
        return all;
    }
}
