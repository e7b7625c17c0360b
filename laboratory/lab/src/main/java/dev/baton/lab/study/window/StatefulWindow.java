package dev.baton.lab.study.window;

import dev.baton.Claim;
import dev.baton.Message;
import dev.baton.MessageFields;
import dev.baton.Outlet;
import dev.baton.StatefulService;
import dev.baton.state.SnapshotInput;
import dev.baton.state.SnapshotOutput;
import dev.baton.state.UnknownSnapshotVersionException;
import java.util.Arrays;
import java.util.function.ToIntFunction;

/**
 * The sliding-window job as a service whose counts survive its process. It needs no watermarks: its time is the origin of its inputs, so
 * that its results do not depend on their arrival. The first origin begins step 1. An input of a later step ends the one in progress, whose
 * window it emits before it is counted itself: all keys, in order, in messages whose type is the step and whose origin is its end. Steps
 * without events have no window of their own. An input of an earlier step counts in the one in progress.
 *
 * <p>A window is emitted at once, and each step has a count of every key: for few keys, unlike {@link PrimitiveState}. Allocates nothing
 * after its creation. Confined to its loop.
 */
public final class StatefulWindow implements StatefulService {
    /** Bytes of a result. */
    public static final int RESULT_BYTES = Long.BYTES;

    private static final int VERSION = 1;
    private static final int SLICE = 1024; // counts of a snapshot between two looks at its clock

    private final int keys;
    private final int steps;
    private final long stepNanos;
    private final ToIntFunction<Message> key;
    private final int[] counts; // of each key in each step of the window, a ring of steps
    private final int[] totals; // of each key in the window
    private final MessageFields fields = new MessageFields(); // of results
    private int step; // in progress, 0 before the first input
    private long endNanos; // of it
    private int saved; // written counts of the current snapshot

    /**
     * Creates a window with empty counts.
     *
     * @param keys 0 to one less are those of events
     * @param steps that the window covers
     * @param key of an event
     */
    public StatefulWindow(int keys, int steps, long stepNanos, ToIntFunction<Message> key) {
        this.keys = keys;
        this.steps = steps;
        this.stepNanos = stepNanos;
        this.key = key;
        counts = new int[Math.multiplyExact(keys, steps)];
        totals = new int[keys];
    }

    /** The key of a result, which is the payload of a message that says how many events of a key are in a window. */
    public static int key(long result) {
        return (int) result;
    }

    /** The count of a result. */
    public static int count(long result) {
        return (int) (result >>> Integer.SIZE);
    }

    @Override
    public int maxOutputs() {
        return keys;
    }

    @Override
    public void onMessage(Message in, Outlet out) {
        long time = in.originNanos();
        if (time == Message.UNKNOWN_TIME) {
            throw new IllegalStateException("input " + in.sequence()
                    + " was stamped in another boot or on another host, so that its step is not known");
        }
        if (step == 0) {
            step = 1;
            endNanos = time + stepNanos;
        }
        if (time - endNanos >= 0) {
            emit(out);
            advance(time);
        }
        int of = key.applyAsInt(in);
        counts[place(of)]++;
        totals[of]++;
    }

    private int place(int of) {
        return step % steps * keys + of;
    }

    private void emit(Outlet out) {
        fields.originNanos(endNanos).type(step);
        for (int of = 0; of < keys; of++) {
            Claim claim = out.claim(RESULT_BYTES, fields);
            claim.putLong(0, (long) totals[of] << Integer.SIZE | of).commit(RESULT_BYTES);
        }
    }

    /** Advances to the step of this time; the oldest step of the window leaves it for each step passed. */
    private void advance(long time) {
        int passed = Math.toIntExact((time - endNanos) / stepNanos + 1);
        step = Math.addExact(step, passed);
        endNanos += passed * stepNanos;
        int last = step;
        for (step = Math.max(last - steps + 1, last - passed + 1); step < last; step++) {
            leave();
        }
        leave();
    }

    /** Makes room for the current step. */
    private void leave() {
        int first = place(0);
        for (int of = 0; of < keys; of++) {
            totals[of] -= counts[first + of];
        }
        Arrays.fill(counts, first, first + keys, 0);
    }

    @Override
    public int snapshotVersion() {
        return VERSION;
    }

    /** Last come the totals, by key. */
    @Override
    public boolean saveState(SnapshotOutput out) {
        if (out.size() == 0) {
            out.putInt(keys).putInt(steps).putLong(stepNanos).putInt(step).putLong(endNanos);
            saved = 0;
        }
        while (saved < counts.length + keys) {
            out.putInt(saved < counts.length ? counts[saved] : totals[saved - counts.length]);
            saved++;
            if (saved % SLICE == 0 && !out.hasTime()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void restoreState(SnapshotInput in, int version) {
        if (version != VERSION) {
            throw new UnknownSnapshotVersionException(version, VERSION);
        }
        String own = shape(keys, steps, stepNanos);
        String other = shape(in.getInt(), in.getInt(), in.getLong());
        if (!own.equals(other)) {
            throw new IllegalStateException("the snapshot is of " + other + "; this window has " + own);
        }
        step = in.getInt();
        endNanos = in.getLong();
        Arrays.setAll(counts, i -> in.getInt());
        Arrays.setAll(totals, i -> in.getInt());
    }

    private static String shape(int keys, int steps, long stepNanos) {
        return keys + " keys and " + steps + " steps of " + stepNanos + " ns";
    }
}
