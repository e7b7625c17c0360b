package dev.baton.manage;

import dev.baton.PartStatus;

/** A {@link PartStatus} in the form that JMX carries: the same numbers, -1 for unknown. Immutable, thread-safe. */
public final class ManagedPart {
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
}
