package dev.baton.lab.study.chaos.audit;

import dev.baton.Claim;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.ServiceContext;
import dev.baton.StatefulService;
import dev.baton.state.SnapshotInput;
import dev.baton.state.SnapshotOutput;
import dev.baton.state.UnknownSnapshotVersionException;

/**
 * Adds up the numbers that its inputs begin with, {@value SumOfNumbers#INPUTS} at a time, and sends one {@link SumOfNumbers} for each
 * group; the rest when it is closed in order. The unfinished group survives a crash in one of two ways: the service holds its inputs, so
 * that they are delivered again, or it saves the group in snapshots. Confined to its loop.
 */
public final class SummingService implements StatefulService {
    private static final int VERSION = 1;

    private final boolean savesState;
    private ServiceContext context;
    private int count;
    private long first;
    private long last;
    private long sum;
    private long sentNanos;

    /**
     * Creates a service.
     *
     * @param savesState whether it saves snapshots; otherwise it holds inputs
     */
    public SummingService(boolean savesState) {
        this.savesState = savesState;
    }

    @Override
    public boolean holdsInputs() {
        return !savesState;
    }

    @Override
    public StatefulService state() {
        return savesState ? this : null;
    }

    @Override
    public void onStart(ServiceContext given) {
        context = given;
    }

    @Override
    public void onMessage(Message in, Outlet out) {
        last = in.getLong(0);
        sentNanos = in.getLong(Long.BYTES);
        sum += last;
        count++;
        if (count == 1) {
            first = last;
            holdFrom(in.sequence());
        }
        if (count == SumOfNumbers.INPUTS) {
            send(out, in.sequence() + 1);
        }
    }

    @Override
    public void onClosing(Outlet out) {
        if (count > 0) {
            send(out, Long.MAX_VALUE);
        }
    }

    private void send(Outlet out, long next) {
        Claim claim = out.claim(SumOfNumbers.BYTES);
        SumOfNumbers.write(claim, last, sentNanos, first, sum, count);
        claim.commit(SumOfNumbers.BYTES);
        holdFrom(next);
        count = 0;
        sum = 0;
    }

    private void holdFrom(long sequence) {
        if (!savesState) {
            context.holdFrom(sequence);
        }
    }

    @Override
    public int snapshotVersion() {
        return VERSION;
    }

    @Override
    public boolean saveState(SnapshotOutput out) {
        out.putInt(count).putLong(first).putLong(last).putLong(sum).putLong(sentNanos);
        return true;
    }

    @Override
    public void restoreState(SnapshotInput in, int version) {
        if (version != VERSION) {
            throw new UnknownSnapshotVersionException(version, VERSION);
        }
        count = in.getInt();
        first = in.getLong();
        last = in.getLong();
        sum = in.getLong();
        sentNanos = in.getLong();
    }
}
