package dev.baton.engine.cycle;

import dev.baton.engine.writing.PendingOpens;
import dev.baton.spi.TopicWriter;

/**
 * A part whose topics are not open yet. {@link #open} creates the part from the open topics, so that its fields are final.
 * Created by the thread that starts the chain, opened by its loop.
 */
public abstract class PendingPart {
    private final DrainPoint drain = new DrainPoint();

    /** Returns the name of the part in the status. */
    public abstract String name();

    /** Returns the point at which the part will be drained, for the part that reads its output. */
    public final DrainPoint drain() {
        return drain;
    }

    /** Begins the openings that {@link #open} completes. */
    public abstract void begin(PendingOpens openings);

    /**
     * Completes the openings, which are prepared, and creates the part. If it throws, nothing of the part is left open.
     *
     * @param feeder writer of the input if it is on the same loop; null otherwise
     */
    public abstract Part open(PendingOpens openings, TopicWriter feeder);

    /** Reports that the part will not be opened. Called at most once, on the thread that closes the section. */
    public void dropped() {}
}
