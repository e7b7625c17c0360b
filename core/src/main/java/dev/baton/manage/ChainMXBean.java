package dev.baton.manage;

import dev.baton.status.ChainStatus.HeldBack;
import dev.baton.status.PartStatus;
import dev.baton.status.PartStatus.InputStatus;
import dev.baton.status.PartStatus.OutputStatus;
import dev.baton.status.PartStatus.SnapshotStatus;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The status of a running chain for JMX. A reading queries the chain's loops, within {@link
 * dev.baton.status.ChainStatus#PATIENCE}, unless they responded less than 500 ms ago. Attributes that a monitor reads one
 * after another are therefore of one query. There is no cost between readings. Thread-safe.
 */
public interface ChainMXBean {
    /** {@return the chain's name} */
    String getChain();

    /** {@return the phase that the chain is in: RUNNING, CLOSING, CLOSED or FAILED} */
    String getPhase();

    /** {@return the failure that stopped the chain, in one line; empty if there was none} */
    String getLastError();

    /**
     * {@return the number of stored inputs that the parts of this process have not consumed; -1 if the number of one part is
     * unknown}
     */
    long getBacklog();

    /** {@return whether every loop responded in time; a loop that did not is blocked by a callback} */
    boolean isAnswering();

    /** {@return the part that blocks a loop; empty if no part of this chain does} */
    String getBlocked();

    /** {@return lower bound of the time for which the part has blocked the loop; 0 if there is none} */
    long getBlockedMillis();

    /** {@return whether the chain runs and all its loops respond: {@link dev.baton.status.ChainStatus.ChainHealth}} */
    boolean isHealthy();

    /**
     * {@return why the chain is not healthy, or which consumer holds one of its topics back; empty if there is nothing to
     * report}
     */
    String getReason();

    /** {@return the number of restarts so far} */
    int getRestarts();

    /** {@return a sentence for each topic without room that this chain writes here, which names the consumer that holds it back} */
    List<String> getHeldBack();

    /** {@return the parts that run in this process, in chain order} */
    List<ManagedPart> getParts();

    /** A {@link PartStatus} for JMX: the same numbers, -1 for unknown. Immutable, thread-safe. */
    final class ManagedPart {
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
}
