package dev.baton.engine.cycle;

import dev.baton.engine.writing.NoOutput;
import dev.baton.run.Environment;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import dev.baton.status.PartStatus;
import dev.baton.status.PartStatus.InputStatus;
import java.util.List;

/**
 * A node of a running chain: a source that feeds the first topic, a service between two topics, or the sink, which consumes the
 * last topic. Parts of one section take their turns in chain order. Created by a {@link PendingPart} when its topics are open.
 * Confined to its loop, except for {@link #drainedAt}.
 */
public abstract class Part {
    protected final Environment environment;
    private final Progress progress;
    private final DrainPoint drain;
    private boolean hasWorked; // since the last update of its progress

    /**
     * Creates a part.
     *
     * @param drain point at which it is drained, which the next part reads
     */
    public Part(Environment environment, DrainPoint drain) {
        this.environment = environment;
        this.drain = drain;
        progress = new Progress(environment.nanoTime());
    }

    /** Returns its name in the status. */
    public abstract String name();

    /**
     * Runs one turn; returns the work count.
     *
     * @throws TransportException if one of its writers or readers has ended
     */
    public final int turn() {
        if (drainedAt() == Upstream.NOT_YET) {
            TransportException ended = failure();
            if (ended != null) {
                throw ended;
            }
        }
        int work = doWork();
        if (work > 0) {
            hasWorked = true;
        }
        return work;
    }

    /** Does the work of one turn; returns the work count. */
    public abstract int doWork();

    /** Returns the failure that ended one of its own writers or readers; null while all of them work. Called in every turn. */
    public abstract TransportException failure();

    /** Returns the number of its callbacks that have ended, for parts whose turns may have several. Any thread. */
    public long callsEnded() {
        return 0;
    }

    /** Returns whether its loop is woken for all of its work before its deadline. */
    public boolean isWoken() {
        return false;
    }

    public abstract long deadlineNanos();

    /** Returns the writer of its output topic; {@link NoOutput} at the end of the chain. */
    public abstract TopicWriter writer();

    /** Returns the time at which the newest batch with an output began; 0 if there was none. */
    public abstract long newestCommitNanos();

    /** Returns whether this part has finished its work in a chain that is closing. */
    public abstract boolean isDrained();

    /** Returns its status. Called between two turns, also after a failure, but not before it is open. */
    public abstract PartStatus status();

    /**
     * Returns its status, with the figures of its writer and its progress.
     *
     * @param input status of its input; null if there is none
     * @param output output topic; null if there is none
     */
    public final PartStatus statusOf(InputStatus input, String output) {
        long now = environment.nanoTime();
        Progress upToNow = progress(now);
        return new PartStatus(
                name(),
                input,
                output == null ? null : upToNow.output(now, output, writer()),
                upToNow.idleNanos(now),
                null);
    }

    /** Returns the status of each part that it consists of. */
    public List<PartStatus> statuses() {
        return List.of(status());
    }

    /** Called once, while it is open, after its chain has failed and has no more turns. */
    public void stopped() {}

    /**
     * Does the part of the closing for which {@link #close} would block. Returns whether that is done; it is also done if
     * this throws.
     */
    public boolean tryClose() {
        return true;
    }

    public abstract void close();

    /** Returns whether its output has no room for the next outputs of the part; false once its chain has failed. */
    public abstract boolean hasNoRoom();

    /** Updates and returns its progress. Called between two turns. */
    public final Progress progress(long now) {
        progress.update(now, hasWorked, writer(), newestCommitNanos(), hasNoRoom());
        hasWorked = false;
        return progress;
    }

    /** Called after each turn while the chain is closing. */
    public final void checkDrained() {
        if (drainedAt() == Upstream.NOT_YET && isDrained()) {
            drain.reached(writer().sequence());
        }
    }

    /** Returns the sequence of the last message that it ever sends, or {@link Upstream#NOT_YET}. Any thread. */
    public final long drainedAt() {
        return drain.drainedAt();
    }
}
