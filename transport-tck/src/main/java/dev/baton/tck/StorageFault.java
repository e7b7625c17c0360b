package dev.baton.tck;

/** A fault of what a durable transport has stored, which a {@link TransportFixture} causes. */
public enum StorageFault {
    /** The newest stored position of a consumer agrees with none of its checksums. */
    DAMAGED_POSITION,
    /** The stored position of a consumer is whole, but ahead of the end of its topic. */
    POSITION_AHEAD,
    /** The frames of a topic are gone, but not the record of what its writer has stored. */
    LOST_FRAMES,
    /** Each sync to the storage device fails, until {@link TransportFixture#heal}. */
    FAILED_SYNCS
}
