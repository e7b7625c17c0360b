package dev.baton.lab.study.window;

import dev.baton.Claim;
import dev.baton.MessageFields;
import dev.baton.Outlet;
import dev.baton.lab.study.window.WindowStudy.Aggregate;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * Totals in hash maps with boxed keys, the way a sliding window is usually written in Java: a map for each step, of which the window covers
 * a thousand, say, and a map for the window, which takes up a step that has ended and gives back the one that has left. Every event boxes
 * its key, every emitted key becomes an object that waits in an outbox. A time integral needs another map, of each key's last value.
 *
 * <p>The totals of a step live as long as the window: in a collector with generations nearly all of them are promoted to the old generation
 * before they become garbage. Confined to the loop of its service.
 */
final class BoxedState implements WindowState {
    private static final int OUTBOX = 1024;

    /** A node of a map, its key and its total, 24 to 40 bytes each; with compressed pointers it is 80. */
    private static final double ENTRY_BYTES = 88;

    private static final double SLOT_BYTES = 4;
    private static final double LOAD = 0.75;

    /** A number that grows. */
    private static final class Total {
        private long value;
    }

    /** A key's last value, and since when it holds. */
    private record Sample(long sinceNanos, int value) {}

    /** A key and its total that wait for emission. */
    private record Result(long endNanos, Long key, Long total) {}

    private final Aggregate aggregate;
    private final int frames;
    private final Map<Integer, Map<Long, Total>> steps = new HashMap<>();
    private final Map<Long, Sample> samples = new HashMap<>(); // of a time integral
    private final Map<Long, Total> window = new HashMap<>();
    private final ArrayDeque<Result> outbox = new ArrayDeque<>(OUTBOX);
    private final MessageFields fields = new MessageFields(); // of results
    private Map<Long, Total> current = new HashMap<>();
    private Iterator<Map.Entry<Long, Total>> emission; // null: nothing to emit
    private int step; // in progress, from 0

    BoxedState(Aggregate aggregate, int keys, int frames) {
        this.aggregate = aggregate;
        this.frames = frames;
        for (long key = 0; key < keys; key++) {
            window.put(key, new Total()); // every key is emitted at every step, also one that has no event
        }
    }

    @Override
    public void add(int key, int value, long slotNanos) {
        Long boxed = (long) key;
        current.computeIfAbsent(boxed, absent -> new Total()).value += amount(boxed, value, slotNanos);
    }

    private long amount(Long key, int value, long slotNanos) {
        if (aggregate != Aggregate.TIME_INTEGRAL) {
            return aggregate == Aggregate.COUNT ? 1 : value;
        }
        Sample before = samples.put(key, new Sample(slotNanos, value));
        return before == null ? 0 : before.value() * (slotNanos - before.sinceNanos());
    }

    @Override
    public void endStep() {
        if (isEmitting()) {
            throw new IllegalStateException("a step ended while keys were still to be emitted");
        }
        current.forEach((key, total) -> window.get(key).value += total.value);
        steps.put(step, current);
        Map<Long, Total> left = steps.remove(step - frames);
        if (left != null) {
            left.forEach((key, total) -> window.get(key).value -= total.value);
        }
        step++;
        current = new HashMap<>();
        emission = window.entrySet().iterator();
    }

    @Override
    public boolean isEmitting() {
        return emission != null;
    }

    @Override
    public int emit(Outlet out, int ofStep, long endNanos) {
        int count = 0;
        while (emission != null) {
            fill(endNanos);
            int room = out.remainingCapacity();
            while (room > 0 && !outbox.isEmpty()) {
                if (!emit(out, ofStep, outbox.peek())) {
                    return count;
                }
                outbox.remove();
                room--;
                count++;
            }
            if (!outbox.isEmpty()) {
                return count;
            }
            if (!emission.hasNext()) {
                emission = null;
            }
        }
        return count;
    }

    private void fill(long endNanos) {
        while (outbox.size() < OUTBOX && emission.hasNext()) {
            Map.Entry<Long, Total> entry = emission.next();
            outbox.add(new Result(endNanos, entry.getKey(), entry.getValue().value));
        }
    }

    private boolean emit(Outlet out, int step, Result result) {
        Claim claim = out.claim(Wire.RESULT_BYTES, fields.originNanos(result.endNanos()));
        if (claim == null) {
            return false;
        }
        Wire.commitResult(claim, step, result.key().intValue(), result.total());
        return true;
    }

    /** Bytes of heap that are alive at any time. @param distinct keys of a step */
    static double bytes(Aggregate aggregate, double keys, double frames, double distinct) {
        int mapsOfAll = aggregate == Aggregate.TIME_INTEGRAL ? 2 : 1;
        return (frames + 1) * (distinct * ENTRY_BYTES + slots(distinct))
                + mapsOfAll * (keys * ENTRY_BYTES + slots(keys));
    }

    private static double slots(double entries) {
        return SLOT_BYTES * Math.pow(2, Math.ceil(Math.log(Math.max(16, entries / LOAD)) / Math.log(2)));
    }
}
