package dev.baton.lab.study.window;

import dev.baton.Claim;
import dev.baton.MessageFields;
import dev.baton.Outlet;
import dev.baton.lab.study.window.WindowStudy.Aggregate;

/**
 * Totals in arrays made once.
 *
 * <p>Every event's key is kept in a ring for as long as the window covers its step, because a ring of events is far smaller than a total of
 * every key for every step: 40 MB in place of 420 MB for 1,000 steps of 10,000 events and 105,000 keys. For aggregates other than counts
 * the event's amount is kept with its key.
 *
 * <p>The end of a step causes no burst of work. Each new event removes one old event: the oldest of the step that will leave the window
 * next. The changes of a step are so collected in {@link #change} during the step; at its end that array is exchanged with the one being
 * emitted, and each key's total is updated when the key is emitted.
 *
 * <p>Allocates nothing after its creation. Confined to the loop of its service.
 */
final class PrimitiveState implements WindowState {
    private final int keys;
    private final int frames;
    private final int[] ring; // keys of the events of the window and of the step in progress
    private final long[] amounts; // of these events; null where each is 1
    private final int[] sizes; // events of each of these steps, a ring, too
    private final Amounts adding;
    private final long[] totals;
    private final MessageFields fields = new MessageFields(); // of results
    private long[] change; // of the step in progress
    private long[] emitted; // the change of the step before, zero again where it was taken up

    private int in; // where the next event goes
    private int out; // the next event to leave
    private int leaving; // events that still have to leave with this step
    private int size; // events of the step in progress
    private int step; // in progress, from 0
    private int next; // key to be emitted

    /**
     * Creates the state for a number of keys.
     *
     * @param frames steps that the window covers
     * @param mostEvents that the window and the current step may have
     */
    PrimitiveState(Aggregate aggregate, int keys, int frames, int mostEvents) {
        this.keys = keys;
        this.frames = frames;
        ring = new int[mostEvents];
        amounts = aggregate == Aggregate.COUNT ? null : new long[mostEvents];
        sizes = new int[frames];
        adding = new Amounts(aggregate, keys);
        totals = new long[keys];
        change = new long[keys];
        emitted = new long[keys];
        next = keys;
    }

    @Override
    public void add(int key, int value, long slotNanos) {
        long amount = adding.of(key, value, slotNanos);
        ring[in] = key;
        if (amounts != null) {
            amounts[in] = amount;
        }
        in = after(in);
        size++;
        change[key] += amount;
        if (leaving > 0) {
            leave();
        }
    }

    private void leave() {
        change[ring[out]] -= amounts == null ? 1 : amounts[out];
        out = after(out);
        leaving--;
    }

    private int after(int place) {
        return place + 1 == ring.length ? 0 : place + 1;
    }

    @Override
    public void endStep() {
        if (isEmitting()) {
            throw new IllegalStateException("a step ended while " + (keys - next) + " keys were still to be emitted");
        }
        while (leaving > 0) {
            leave();
        }
        sizes[step % frames] = size;
        size = 0;
        step++;
        leaving = step < frames ? 0 : sizes[step % frames];
        long[] taken = emitted;
        emitted = change;
        change = taken;
        next = 0;
    }

    @Override
    public boolean isEmitting() {
        return next < keys;
    }

    @Override
    public int emit(Outlet outlet, int ofStep, long endNanos) {
        fields.originNanos(endNanos);
        int first = next;
        int last = (int) Math.min(keys, (long) first + outlet.remainingCapacity());
        for (int key = first; key < last; key++) {
            Claim claim = outlet.claim(Wire.RESULT_BYTES, fields);
            if (claim == null) {
                last = key;
                break;
            }
            long total = totals[key] + emitted[key];
            totals[key] = total;
            emitted[key] = 0;
            Wire.commitResult(claim, ofStep, key, total);
        }
        next = last;
        return last - first;
    }

    /** Bytes of heap. */
    static double bytes(Aggregate aggregate, double keys, double frames, double mostEvents) {
        double ofEvent = Integer.BYTES + (aggregate == Aggregate.COUNT ? 0 : Long.BYTES);
        double ofKey = 3 * Long.BYTES + (aggregate == Aggregate.TIME_INTEGRAL ? Amounts.INTEGRAL_BYTES : 0);
        return ofEvent * mostEvents + Integer.BYTES * frames + ofKey * keys;
    }
}
