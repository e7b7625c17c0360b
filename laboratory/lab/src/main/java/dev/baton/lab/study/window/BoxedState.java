package dev.baton.lab.study.window;

import dev.baton.Claim;
import dev.baton.Outlet;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * Counts in hash maps with boxed keys, the way a sliding window is usually written in Java: a map for each step, of
 * which the window covers a thousand, say, and a map for the window, which takes up a step that has ended and gives back
 * the one that has left. Every event boxes its key, every emitted key becomes an object that waits in an outbox.
 *
 * <p>The counts of a step live as long as the window is: in a collector with generations nearly all of them are promoted,
 * and die old. Confined to the loop of its service.
 */
final class BoxedState implements WindowState {
    private static final int OUTBOX = 1024;

    /** A node of a map, its key and its count, 24 to 40 bytes each; with compressed pointers it is 80. */
    private static final double ENTRY_BYTES = 88;

    private static final double SLOT_BYTES = 4;
    private static final double LOAD = 0.75;

    /** A number that counts. */
    private static final class Count {
        private long value;
    }

    /** A key and its count on their way out. */
    private record Result(long endNanos, Long key, Long count) {}

    private final int frames;
    private final Map<Integer, Map<Long, Count>> steps = new HashMap<>();
    private final Map<Long, Count> window = new HashMap<>();
    private final ArrayDeque<Result> outbox = new ArrayDeque<>(OUTBOX);
    private Map<Long, Count> current = new HashMap<>();
    private Iterator<Map.Entry<Long, Count>> emission; // null: nothing to emit
    private int step; // in progress, from 0

    BoxedState(int keys, int frames) {
        this.frames = frames;
        for (long key = 0; key < keys; key++) {
            window.put(key, new Count()); // every key is emitted at every step, also one that has no event
        }
    }

    @Override
    public void add(int key) {
        current.computeIfAbsent((long) key, absent -> new Count()).value++;
    }

    @Override
    public void endStep() {
        if (isEmitting()) {
            throw new IllegalStateException("a step ended while keys were still to be emitted");
        }
        current.forEach((key, count) -> window.get(key).value += count.value);
        steps.put(step, current);
        Map<Long, Count> left = steps.remove(step - frames);
        if (left != null) {
            left.forEach((key, count) -> window.get(key).value -= count.value);
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
            Map.Entry<Long, Count> entry = emission.next();
            outbox.add(new Result(endNanos, entry.getKey(), entry.getValue().value));
        }
    }

    private static boolean emit(Outlet out, int step, Result result) {
        Claim claim = out.claim(Wire.RESULT_BYTES, result.endNanos());
        if (claim == null) {
            return false;
        }
        long payload = Wire.result(result.key().intValue(), result.count().intValue());
        claim.type(step).putLong(0, payload).commit(Wire.RESULT_BYTES);
        return true;
    }

    /** Bytes of heap that live at any time. @param distinct keys of a step */
    static double bytes(double keys, double frames, double distinct) {
        return (frames + 1) * (distinct * ENTRY_BYTES + slots(distinct)) + keys * ENTRY_BYTES + slots(keys);
    }

    private static double slots(double entries) {
        return SLOT_BYTES * Math.pow(2, Math.ceil(Math.log(Math.max(16, entries / LOAD)) / Math.log(2)));
    }
}
