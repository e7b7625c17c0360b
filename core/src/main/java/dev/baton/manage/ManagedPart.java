package dev.baton.manage;

import dev.baton.PartStatus;

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
        return status.unreadNanos() == PartStatus.UNKNOWN ? -1 : status.unreadNanos() / NANOS_PER_MILLI;
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
