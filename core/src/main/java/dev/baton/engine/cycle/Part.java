package dev.baton.engine.cycle;

import dev.baton.engine.Section;
import dev.baton.engine.writing.NoOutput;
import dev.baton.engine.writing.PendingOpens;
import dev.baton.run.Environment;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import dev.baton.status.PartStatus;
import java.util.List;

/**
 * A node of a running chain: a source that feeds the first topic, a service between two topics, or the outlet's consumer. Parts
 * of one {@link Section} take their turns in chain order. Confined to its loop, except for {@link #drainedAt}.
 */
public abstract class Part implements Upstream {
    public final Environment environment;
    private final Progress progress;
    private boolean hasWorked; // since the last look at its progress
    private volatile long drainedAt = NOT_YET;

    public Part(Environment environment) {
        this.environment = environment;
        progress = new Progress(environment.nanoTime());
    }

    /** Its name in the status. */
    public abstract String name();

    /** Begins what {@link #open} opens. */
    public abstract void begin(PendingOpens openings);

    /** Opens what was begun, which is prepared by now. */
    public abstract void open(PendingOpens openings);

    /**
     * Takes one turn; returns the work count.
     *
     * @throws TransportException if one of its writers or readers has ended
     */
    public final int turn() {
        if (drainedAt == NOT_YET) {
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

    /** Why one of its own writers or readers has ended; null while all of them work. Called in every turn. */
    public abstract TransportException failure();

    /** The number of its callbacks that have ended, where a turn may have several. Any thread. */
    public long callsEnded() {
        return 0;
    }

    /** Returns whether it has nothing to do before its deadline unless its loop is woken. */
    public boolean isWoken() {
        return false;
    }

    public abstract long deadlineNanos();

    /** The writer of its output topic; {@link NoOutput} at the end of the chain. */
    public abstract TopicWriter writer();

    /** The time at which the newest batch with an output was begun; 0 for never. */
    public abstract long newestCommitNanos();

    /** Whether this part is done for good once its chain is closing. */
    public abstract boolean isDrained();

    /** Its status. Called between two turns, also after a failure, but not before it is open. */
    public abstract PartStatus status();

    /**
     * Its status, with the figures of its writer and its progress.
     *
     * @param input null for none, and so for the output
     */
    public final PartStatus statusOf(
            String input, long consumed, long backlog, String output, long skipped, long unreadNanos) {
        long now = environment.nanoTime();
        Progress upToNow = progress(now);
        return new PartStatus(
                name(),
                input,
                consumed,
                backlog,
                output,
                output == null ? 0 : writer().sequence(),
                output == null ? 0 : writer().storedSequence(),
                skipped,
                upToNow.unstoredNanos(now),
                upToNow.idleNanos(now),
                unreadNanos,
                waiting(),
                isOrdered(),
                null,
                output == null ? null : upToNow.heldBack(now, output, writer()));
    }

    /** The number of inputs that wait for another delivery while later ones are handled. */
    public long waiting() {
        return 0;
    }

    /** Whether outputs are in the order of inputs: no input ever waits in this way. */
    public boolean isOrdered() {
        return true;
    }

    /** The status of each of the parts that it consists of. */
    public List<PartStatus> statuses() {
        return List.of(status());
    }

    /** Called once, while it is open, when its chain has failed: there are no more turns. */
    public void stopped() {}

    /**
     * Does the part of the closing for which {@link #close} would block; returns whether that is done. If it throws, it is
     * done.
     */
    public boolean tryClose() {
        return true;
    }

    public abstract void close();

    /** Returns whether its output has no room for what the part may send next; false once its chain has failed. */
    public abstract boolean hasNoRoom();

    /** Its progress as of now. Called between two turns. */
    public final Progress progress(long now) {
        progress.update(now, hasWorked, writer(), newestCommitNanos(), hasNoRoom());
        hasWorked = false;
        return progress;
    }

    /** Called after each turn while the chain is closing. */
    public final void checkDrained() {
        if (drainedAt == NOT_YET && isDrained()) {
            drainedAt = writer().sequence();
        }
    }

    @Override
    public final long drainedAt() {
        return drainedAt;
    }
}
