package dev.baton.manage;

import dev.baton.PartStatus;
import dev.baton.SnapshotStatus;
import java.util.function.ToLongFunction;

/** A {@link PartStatus} in the form that JMX carries: the same numbers, -1 for unknown. Immutable, thread-safe. */
public final class ManagedPart {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final PartStatus status;

    ManagedPart(PartStatus status) {
        this.status = status;
    }

    public String getName() {
        return status.name();
    }

    /** Empty for a source. */
    public String getInput() {
        return status.input() == null ? "" : status.input();
    }

    public long getConsumed() {
        return status.consumed();
    }

    public long getBacklog() {
        return status.backlog();
    }

    /** Empty at the end of the chain. */
    public String getOutput() {
        return status.output() == null ? "" : status.output();
    }

    public long getSent() {
        return status.sent();
    }

    public long getStored() {
        return status.stored();
    }

    /** Records of the input that could not be read and were stepped over. */
    public long getSkipped() {
        return status.skipped();
    }

    /** How long its oldest output that is not stored has waited for that, at least; 0 when all are stored. */
    public long getUnstoredMillis() {
        return status.unstoredNanos() / NANOS_PER_MILLI;
    }

    /** How long its oldest input that is not consumed has waited for that, at most; 0 when there is none, -1 for unknown. */
    public long getUnreadMillis() {
        return millis(status.unreadNanos());
    }

    /** Input that the newest whole snapshot belongs to; 0 for none, -1 for a service without state. */
    public long getSnapshotInput() {
        return ofSnapshots(SnapshotStatus::input);
    }

    /** Bytes of the state in it; -1 for a service without state. */
    public long getSnapshotBytes() {
        return ofSnapshots(SnapshotStatus::bytes);
    }

    /** How long it took; -1 for unknown, and for one of an earlier run. */
    public long getSnapshotMillis() {
        return millis(ofSnapshots(SnapshotStatus::savedNanos));
    }

    /** How long ago it was begun; -1 for none. */
    public long getSnapshotAgeMillis() {
        return millis(ofSnapshots(SnapshotStatus::ageNanos));
    }

    /** Whether it is older than the deployment allows while inputs are handled. */
    public boolean isSnapshotLate() {
        return status.snapshots() != null && status.snapshots().isLate();
    }

    /** Input whose snapshot this run began with; 0 for none, -1 for a service without state. */
    public long getRestoredInput() {
        return ofSnapshots(SnapshotStatus::restoredInput);
    }

    /** How long it took from the opening until the state was restored; -1 until then. */
    public long getRestoredMillis() {
        return millis(ofSnapshots(SnapshotStatus::restoredNanos));
    }

    private long ofSnapshots(ToLongFunction<SnapshotStatus> property) {
        return status.snapshots() == null ? PartStatus.UNKNOWN : property.applyAsLong(status.snapshots());
    }

    private static long millis(long nanos) {
        return nanos == PartStatus.UNKNOWN ? -1 : nanos / NANOS_PER_MILLI;
    }

    /** Messages that failed and wait for another delivery while those behind them go on. */
    public long getWaiting() {
        return status.waiting();
    }

    /** Whether outputs are in the order of inputs and, on durable transports, effectively once. */
    public boolean isOrdered() {
        return status.isOrdered();
    }

    /** How long ago it last did something, or was started; 0 while it is at work. */
    public long getIdleMillis() {
        return status.idleNanos() / NANOS_PER_MILLI;
    }
}
