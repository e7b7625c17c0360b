package dev.baton.lab.study.window;

import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.StatefulService;
import dev.baton.state.SnapshotInput;
import dev.baton.state.SnapshotOutput;

/** A window with a planted fault: its restore drops the count of one key. */
public final class ForgetfulWindow implements StatefulService {
    private final StatefulService window;
    private final int keys;
    private final int dropped;

    /** @param keys of the window */
    public ForgetfulWindow(StatefulService window, int keys, int dropped) {
        this.window = window;
        this.keys = keys;
        this.dropped = dropped;
    }

    @Override
    public int maxOutputs() {
        return window.maxOutputs();
    }

    @Override
    public void onMessage(Message in, Outlet out) throws Exception {
        window.onMessage(in, out);
    }

    @Override
    public int snapshotVersion() {
        return window.snapshotVersion();
    }

    @Override
    public boolean saveState(SnapshotOutput out) throws Exception {
        return window.saveState(out);
    }

    @Override
    public void restoreState(SnapshotInput in, int version) throws Exception {
        window.restoreState(new Dropping(in), version);
    }

    /** The counts of all keys are the end of a snapshot. */
    private final class Dropping implements SnapshotInput {
        private final SnapshotInput in;

        Dropping(SnapshotInput in) {
            this.in = in;
        }

        @Override
        public int getInt() {
            boolean isDropped = in.remaining() == (long) Integer.BYTES * (keys - dropped);
            int value = in.getInt();
            return isDropped ? 0 : value;
        }

        @Override
        public long remaining() {
            return in.remaining();
        }

        @Override
        public byte getByte() {
            return in.getByte();
        }

        @Override
        public long getLong() {
            return in.getLong();
        }

        @Override
        public double getDouble() {
            return in.getDouble();
        }

        @Override
        public void getBytes(byte[] target, int offset, int count) {
            in.getBytes(target, offset, count);
        }
    }
}
