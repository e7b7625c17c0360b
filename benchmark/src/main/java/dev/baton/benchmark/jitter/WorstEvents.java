package dev.baton.benchmark.jitter;

import dev.baton.benchmark.trial.ArrivalListener;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Keeps the longest events of a measurement without allocating.
 *
 * <p>One stall makes many messages late, so messages are put together: one that became due before its predecessor had
 * arrived belongs to the predecessor's event: a busy period of the queue. Of the events that are long enough for any
 * instrument to explain them, the longest are kept in a heap whose root is the shortest of them: an event that is shorter
 * costs one comparison, one that is longer takes the root's place.
 *
 * <p>Confined to the receiving thread, and to whoever reads it after that has ended.
 */
final class WorstEvents implements ArrivalListener {
    /**
     * One event.
     *
     * @param slotNanos when its longest message was due
     * @param slipNanos how late that was sent
     * @param nanos how late it arrived
     * @param messages late in one go
     */
    record Kept(long slotNanos, long slipNanos, long nanos, long messages) {
        long sentNanos() {
            return slotNanos + slipNanos;
        }

        long endNanos() {
            return slotNanos + nanos;
        }

        /** From the send to the arrival. */
        long serviceNanos() {
            return nanos - slipNanos;
        }
    }

    private static final int SLOT = 0;
    private static final int SLIP = 1;
    private static final int NANOS = 2;
    private static final int MESSAGES = 3;
    private static final int FIELDS = 4;

    private final MeasuredFrom measuredFrom;
    private final int most;
    private final long leastNanos;
    private final long[] heap;
    private int size;
    private long lastArrivalNanos;
    private long slotNanos; // of the event in progress, like the three below
    private long slipNanos;
    private long nanos;
    private long messages;

    /** Tells where the warm-up ends; asked once a message. */
    @FunctionalInterface
    interface MeasuredFrom {
        long nanos();
    }

    /**
     * Empty.
     *
     * @param most events to keep, 1 or more
     * @param leastNanos length of the shortest one that is kept
     */
    WorstEvents(int most, long leastNanos, MeasuredFrom measuredFrom) {
        if (most < 1) {
            throw new IllegalArgumentException("room for " + most + " events; 1 or more is needed");
        }
        this.most = most;
        this.leastNanos = leastNanos;
        this.measuredFrom = measuredFrom;
        heap = new long[most * FIELDS];
    }

    @Override
    public void onArrival(long slot, long slip, long response) {
        if (slot - measuredFrom.nanos() < 0) {
            return;
        }
        if (messages > 0 && slot - lastArrivalNanos < 0) {
            messages++;
            if (response > nanos) {
                begin(slot, slip, response);
            }
        } else {
            end();
            begin(slot, slip, response);
            messages = 1;
        }
        lastArrivalNanos = slot + response;
    }

    private void begin(long slot, long slip, long response) {
        slotNanos = slot;
        slipNanos = slip;
        nanos = response;
    }

    /** Enters the event in progress. */
    private void end() {
        if (messages > 0 && nanos >= leastNanos) {
            keep();
        }
        messages = 0;
    }

    private void keep() {
        if (size < most) {
            put(size);
            rise(size++);
        } else if (nanos > heap[NANOS]) {
            put(0);
            sink();
        }
    }

    private void put(int place) {
        int at = place * FIELDS;
        heap[at + SLOT] = slotNanos;
        heap[at + SLIP] = slipNanos;
        heap[at + NANOS] = nanos;
        heap[at + MESSAGES] = messages;
    }

    private void rise(int from) {
        int place = from;
        while (place > 0 && length(place) < length((place - 1) / 2)) {
            swap(place, (place - 1) / 2);
            place = (place - 1) / 2;
        }
    }

    private void sink() {
        int place = 0;
        while (true) {
            int left = 2 * place + 1;
            int shortest = left + 1 < size && length(left + 1) < length(left) ? left + 1 : left;
            if (shortest >= size || length(place) <= length(shortest)) {
                return;
            }
            swap(place, shortest);
            place = shortest;
        }
    }

    private long length(int place) {
        return heap[place * FIELDS + NANOS];
    }

    private void swap(int one, int other) {
        for (int field = 0; field < FIELDS; field++) {
            long moved = heap[one * FIELDS + field];
            heap[one * FIELDS + field] = heap[other * FIELDS + field];
            heap[other * FIELDS + field] = moved;
        }
    }

    /** All that were kept, longest first; includes the one in progress, so after the last arrival. */
    List<Kept> longestFirst() {
        end();
        List<Kept> all = new ArrayList<>();
        for (int place = 0; place < size; place++) {
            int at = place * FIELDS;
            all.add(new Kept(heap[at + SLOT], heap[at + SLIP], heap[at + NANOS], heap[at + MESSAGES]));
        }
        all.sort(Comparator.comparingLong(Kept::nanos).reversed());
        return all;
    }
}
