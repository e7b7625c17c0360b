package dev.baton.spi;

/**
 * Which of several incarnations counts, where the newest wins: of the writers of a topic, or of the readers of a consumer.
 *
 * <p>It receives what a log holds, in the log's order: the markers by which incarnations announced themselves, and what
 * they left behind, frames or positions. A marker takes over from its place in the log on, unless it counts less than
 * the incarnation that is in place: then it was made from an outdated look at the log, is void, and its owner begins
 * again with a newer one. All readers of a log therefore drop the same frames, whenever they read them. A reader
 * that begins in the middle names the incarnation in place there, or takes the first one that it meets; and because a
 * marker may have been removed with the oldest part of a log, a frame of a newer incarnation takes over as well. A tiny
 * state machine without I/O, so that every transport and the simulator run the same rule. Single-threaded.
 */
public final class Succession {
    private long owner; // id of the incarnation in place, 0 before the first marker
    private long dropped;

    /** Of a log from its beginning: no marker has come yet. */
    public Succession() {
        this(0);
    }

    /**
     * Of a log from a place on where this incarnation is in place; 0 when that is not known.
     *
     * @param owner id of that incarnation
     */
    public Succession(long owner) {
        this.owner = owner;
    }

    /**
     * A marker comes next in the log.
     *
     * @param id of the {@link Incarnation} that announces itself
     * @return whether it takes over: what it leaves behind counts from here on; false: it is void
     */
    public boolean announce(long id) {
        if (Incarnation.count(id) < Incarnation.count(owner)) {
            return false;
        }
        owner = id;
        return true;
    }

    /**
     * Something that an incarnation left behind comes next in the log.
     *
     * @param id of the {@link Incarnation} that left it, 0 for one of a log without markers
     * @return whether it counts; what does not is dropped by everybody, and counted here
     */
    public boolean counts(long id) {
        if (id == owner) {
            return true;
        }
        if (owner == 0 || Incarnation.count(id) > Incarnation.count(owner)) {
            owner = id; // its marker lies before what is read, or was removed
            return true;
        }
        dropped++;
        return false;
    }

    /** {@return id of the incarnation in place, 0 before the first marker} */
    public long owner() {
        return owner;
    }

    /** {@return how many things were left behind by incarnations that were replaced, and do not count} */
    public long dropped() {
        return dropped;
    }
}
