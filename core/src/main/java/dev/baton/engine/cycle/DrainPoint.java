package dev.baton.engine.cycle;

/** The sequence at which a part is drained. Set once by the part's loop, read by any thread. */
public final class DrainPoint implements Upstream {
    private volatile long sequence = NOT_YET;

    /** Sets the sequence of the last message that the part ever sends. */
    void reached(long last) {
        sequence = last;
    }

    @Override
    public long drainedAt() {
        return sequence;
    }

    /** Returns true: the reader's loop is the part's own, or is woken at each flush. */
    @Override
    public boolean wakesReader() {
        return true;
    }
}
