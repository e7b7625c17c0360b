package dev.baton.spi;

/**
 * Which frames of a log count, where nothing keeps a former writer from writing on: the same for every reader, because
 * the order of the log alone decides.
 *
 * <p>Each writer begins with a marker that bears its {@link Incarnation#id}, and each of its frames bears that id, too.
 * Ids rise in the order of the markers. A frame counts when no newer id stands before it, in a marker or in a frame; so
 * behind the marker of a new writer nothing of an older one counts any more. A reader that begins in the middle takes the
 * first id that it meets, or the one that its stored position names. Confined to one thread.
 */
public final class WriterSuccession {
    private long owner;
    private long dropped;

    /**
     * Begins at a place in a log.
     *
     * @param owner id of the newest incarnation before that place; 0 when it is not known
     */
    public WriterSuccession(long owner) {
        this.owner = owner;
    }

    /** A marker of this incarnation stands here. */
    public void marker(long id) {
        owner = Math.max(owner, id);
    }

    /** Whether a frame of this incarnation that stands here counts; one that does not is counted as dropped. */
    public boolean accepts(long id) {
        if (id >= owner) {
            owner = id;
            return true;
        }
        dropped++;
        return false;
    }

    /** Id of the newest incarnation so far; 0: none was met. */
    public long owner() {
        return owner;
    }

    /** Frames met that do not count. */
    public long dropped() {
        return dropped;
    }
}
