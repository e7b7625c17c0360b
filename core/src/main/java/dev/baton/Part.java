package dev.baton;

import dev.baton.run.Environment;
import dev.baton.spi.TopicWriter;
import java.util.List;

/**
 * A node of a running chain: a source that feeds the first topic, a service between two topics, or the outlet's consumer.
 * Parts of one {@link Section} take their turns in chain order. Confined to its loop, but for {@link #drainedAt}.
 */
abstract class Part implements Upstream {
    final Environment environment;
    private final Progress progress;
    private boolean hasWorked; // since the last look at its progress
    private volatile long drainedAt = NOT_YET;

    Part(Environment environment) {
        this.environment = environment;
        progress = new Progress(environment.nanoTime());
    }

    /** As status calls it. */
    abstract String name();

    /** Begins what {@link #open} opens. */
    abstract void begin(PendingOpens openings);

    /** Opens what was begun, which is prepared by now. */
    abstract void open(PendingOpens openings);

    /** One turn; answers with the work done. */
    final int turn() {
        int work = doWork();
        if (work > 0) {
            hasWorked = true;
        }
        return work;
    }

    /** What it does in a turn; answers with the work done. */
    abstract int doWork();

    abstract long deadlineNanos();

    /** Where this part writes; {@link NoOutput} at the end of the chain. */
    abstract TopicWriter writer();

    /** When the newest batch with an output was begun; 0: never. */
    abstract long newestCommitNanos();

    /** Whether this part is done for good once its chain is closing. */
    abstract boolean isDrained();

    /** Where it stands. Called between two turns, also after it failed; not before it is open. */
    abstract PartStatus status();

    /**
     * Where it stands, with what its writer and its progress say.
     *
     * @param input null for none, as the output
     */
    final PartStatus statusOf(
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
                null);
    }

    /** Inputs that wait for another delivery while those behind them go on. */
    long waiting() {
        return 0;
    }

    /** Whether none ever does. */
    boolean isOrdered() {
        return true;
    }

    /** The same for each of the parts that it is made of. */
    List<PartStatus> statuses() {
        return List.of(status());
    }

    /** Its chain has failed: there are no more turns. Called once, while it is open. */
    void stopped() {}

    /** Does what {@link #close} would block for; whether that is done. When this throws, it is. */
    boolean tryClose() {
        return true;
    }

    abstract void close();

    /** How long ago it got on, as of now. Between two turns. */
    final Progress progress(long now) {
        progress.update(now, hasWorked, writer(), newestCommitNanos());
        hasWorked = false;
        return progress;
    }

    /** Called after each turn while the chain is closing. */
    final void checkDrained() {
        if (drainedAt == NOT_YET && isDrained()) {
            drainedAt = writer().sequence();
        }
    }

    @Override
    public final long drainedAt() {
        return drainedAt;
    }
}
