package dev.baton.jmh.state;

import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.StatefulService;
import dev.baton.state.SnapshotInput;
import dev.baton.state.SnapshotOutput;

/**
 * Adds up the amounts of many keys, and sends the total of a key after a number of inputs. An input has a key and an amount, 8 bytes each.
 * Writes its state in slices. Confined to its loop.
 */
class Totals implements StatefulService {
    static final int INPUT_BYTES = 16;
    private static final int KEYS_PER_LOOK = 512; // 4 KiB between two readings of the clock

    private final long[] totals;
    private final int inputsPerOutput;
    private long count;
    private int next; // key that the snapshot in progress goes on with
    private long delivered; // in this run

    /**
     * Creates the service.
     *
     * @param stateBytes of the state, a multiple of 8
     * @param inputsPerOutput number of inputs for one output
     */
    Totals(int stateBytes, int inputsPerOutput) {
        this.totals = new long[stateBytes / Long.BYTES];
        this.inputsPerOutput = inputsPerOutput;
        for (int key = 0; key < totals.length; key++) {
            totals[key] = key * 0x9E3779B97F4A7C15L; // which no compression makes shorter
        }
    }

    /** {@return the inputs that this run has received} */
    long delivered() {
        return delivered;
    }

    @Override
    public void onMessage(Message in, Outlet out) {
        int key = (int) Long.remainderUnsigned(in.getLong(0), totals.length);
        totals[key] += in.getLong(Long.BYTES);
        delivered++;
        if (++count % inputsPerOutput == 0) {
            out.claim(INPUT_BYTES)
                    .putLong(0, key)
                    .putLong(Long.BYTES, totals[key])
                    .commit(INPUT_BYTES);
        }
    }

    @Override
    public int snapshotVersion() {
        return 1;
    }

    @Override
    public boolean saveState(SnapshotOutput out) {
        if (next == 0) {
            out.putLong(count);
        }
        while (next < totals.length && out.hasTime()) {
            int until = Math.min(totals.length, next + KEYS_PER_LOOK);
            while (next < until) {
                out.putLong(totals[next++]);
            }
        }
        if (next < totals.length) {
            return false;
        }
        next = 0;
        return true;
    }

    @Override
    public void restoreState(SnapshotInput in, int version) {
        count = in.getLong();
        for (int key = 0; key < totals.length; key++) {
            totals[key] = in.getLong();
        }
    }
}
