package dev.baton.manage;

import dev.baton.state.SnapshotStatus;
import dev.baton.status.HeldBack;
import dev.baton.status.InputStatus;
import dev.baton.status.OutputStatus;
import dev.baton.status.PartStatus;
import java.util.function.ToLongFunction;

/** A {@link PartStatus} for JMX: the same numbers, -1 for unknown. Immutable, thread-safe. */
public final class ManagedPart {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final PartStatus status;

    ManagedPart(PartStatus status) {
        this.status = status;
    }

    /** {@return the part's name} */
    public String getName() {
        return status.name();
    }

    /** {@return the topic that the part reads; empty for a source} */
    public String getInput() {
        return status.input() == null ? "" : status.input().topic();
    }

    /** {@return the sequence of the newest consumed input; 0 for none, -1 for unknown} */
    public long getConsumed() {
        return ofInput(InputStatus::consumed);
    }

    /** {@return the number of stored inputs that the part has not consumed; -1 for unknown} */
    public long getBacklog() {
        return ofInput(InputStatus::backlog);
    }

    /** {@return the topic that the part writes; empty at the end of the chain} */
    public String getOutput() {
        return status.output() == null ? "" : status.output().topic();
    }

    /** {@return the sequence of the newest committed output; 0 for none} */
    public long getSent() {
        return ofOutput(OutputStatus::sent);
    }

    /** {@return the sequence of the newest output that the transport has confirmed as stored; 0 for none} */
    public long getStored() {
        return ofOutput(OutputStatus::stored);
    }

    /** {@return the number of unreadable records of the input that were skipped} */
    public long getSkipped() {
        return ofInput(InputStatus::skipped);
    }

    /**
     * {@return lower bound of the time for which the part's oldest unstored output has waited; 0 if all are stored}
     */
    public long getUnstoredMillis() {
        return ofOutput(OutputStatus::unstoredNanos) / NANOS_PER_MILLI;
    }

    /**
     * {@return upper bound of the time for which the part's oldest unconsumed input has waited; 0 if there is none, -1 for
     * unknown}
     */
    public long getUnreadMillis() {
        return millis(ofInput(InputStatus::unreadNanos));
    }

    /** {@return the newest input that the newest complete snapshot contains; 0 for none, -1 for a service without state} */
    public long getSnapshotInput() {
        return ofSnapshots(SnapshotStatus::input);
    }

    /** {@return the size of the newest snapshot, in bytes; -1 for a service without state} */
    public long getSnapshotBytes() {
        return ofSnapshots(SnapshotStatus::bytes);
    }

    /** {@return the size of the snapshots that a restart reads, in bytes; -1 for a service without state} */
    public long getRecoveryBytes() {
        return ofSnapshots(SnapshotStatus::recoveryBytes);
    }

    /** {@return the time that the newest snapshot took; -1 for unknown, and for one of an earlier run} */
    public long getSnapshotMillis() {
        return millis(ofSnapshots(SnapshotStatus::savedNanos));
    }

    /** {@return the time since the newest snapshot was begun; -1 for none} */
    public long getSnapshotAgeMillis() {
        return millis(ofSnapshots(SnapshotStatus::ageNanos));
    }

    /** {@return whether the newest snapshot is older than the deployment allows while inputs are handled} */
    public boolean isSnapshotLate() {
        return status.snapshots() != null && status.snapshots().isLate();
    }

    /** {@return the newest input of the snapshot with which this run began; 0 for none, -1 for a service without state} */
    public long getRestoredInput() {
        return ofSnapshots(SnapshotStatus::restoredInput);
    }

    /** {@return the time from the opening until the state was restored; -1 until then} */
    public long getRestoredMillis() {
        return millis(ofSnapshots(SnapshotStatus::restoredNanos));
    }

    private long ofSnapshots(ToLongFunction<SnapshotStatus> property) {
        return status.snapshots() == null ? PartStatus.UNKNOWN : property.applyAsLong(status.snapshots());
    }

    private long ofInput(ToLongFunction<InputStatus> property) {
        return status.input() == null ? 0 : property.applyAsLong(status.input());
    }

    private long ofOutput(ToLongFunction<OutputStatus> property) {
        return status.output() == null ? 0 : property.applyAsLong(status.output());
    }

    private HeldBack heldBack() {
        return status.output() == null ? null : status.output().heldBack();
    }

    private static long millis(long nanos) {
        return nanos == PartStatus.UNKNOWN ? -1 : nanos / NANOS_PER_MILLI;
    }

    /** {@return the number of messages that failed and wait for redelivery while later ones are handled} */
    public long getWaiting() {
        return ofInput(InputStatus::waiting);
    }

    /** {@return the consumer because of which the topic that the part writes has no room; empty for none} */
    public String getHeldBackBy() {
        return heldBack() == null ? "" : heldBack().consumer();
    }

    /** {@return the number of frames of that topic that this consumer has not acknowledged; 0 if there is none} */
    public long getHeldBackFrames() {
        return heldBack() == null ? 0 : heldBack().frames();
    }

    /** {@return lower bound of the time for which that topic has taken no frame; 0 if there is none} */
    public long getHeldBackMillis() {
        return heldBack() == null ? 0 : heldBack().nanos() / NANOS_PER_MILLI;
    }

    /** {@return the time since the part last did work, or was started; 0 while it works} */
    public long getIdleMillis() {
        return status.idleNanos() / NANOS_PER_MILLI;
    }
}
