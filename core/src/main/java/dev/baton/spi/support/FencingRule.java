package dev.baton.spi.support;

import dev.baton.spi.Incarnation;

/**
 * The rule that selects the valid incarnation if the newest wins, among the writers of a topic or the readers of a
 * consumer.
 *
 * <p>It receives the content of a log, in the log's order: the markers by which incarnations announced themselves, and the
 * frames or positions that they stored. A marker takes over from its position in the log on, unless its id is lower than
 * that of the current incarnation. In that case it was based on an outdated view of the log and is void, and its owner
 * begins again with a newer one. So all readers of a log drop the same frames, whenever they read them. A reader that
 * begins in the middle names the current incarnation at that position, or uses the first one that it finds. A frame of a
 * newer incarnation takes over as well, because its marker may have been removed with the oldest part of the log. This is a
 * small state machine without I/O, so that all transports and the simulator use the same rule. Single-threaded.
 */
public final class FencingRule {
    private long owner; // id of the valid incarnation, 0 before the first marker
    private long dropped;

    /** Begins at the start of a log, before any marker. */
    public FencingRule() {
        this(0);
    }

    /**
     * Begins at a position of a log with a current incarnation; 0 if it is not known.
     *
     * @param owner id of that incarnation
     */
    public FencingRule(long owner) {
        this.owner = owner;
    }

    /**
     * Processes a marker, the next entry of the log.
     *
     * @param id id of the {@link Incarnation} that announces itself
     * @return true if it takes over, so that its entries are valid from here on; false if the marker is void
     */
    public boolean announce(long id) {
        if (Incarnation.count(id) < Incarnation.count(owner)) {
            return false;
        }
        owner = id;
        return true;
    }

    /**
     * Processes something that an incarnation stored, the next entry of the log.
     *
     * @param id id of the {@link Incarnation} that stored it; 0 in a log without markers
     * @return whether it counts; if not, all readers drop it, and it is included in {@link #dropped}
     */
    public boolean counts(long id) {
        if (id == owner) {
            return true;
        }
        if (owner == 0 || Incarnation.count(id) > Incarnation.count(owner)) {
            owner = id; // its marker precedes the first entry read, or was removed
            return true;
        }
        dropped++;
        return false;
    }

    /** {@return the id of the current incarnation; 0 before the first marker} */
    public long owner() {
        return owner;
    }

    /** {@return the number of entries that do not count, because a replaced incarnation stored them} */
    public long dropped() {
        return dropped;
    }
}
