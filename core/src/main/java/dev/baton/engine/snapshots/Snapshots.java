package dev.baton.engine.snapshots;

import dev.baton.ServiceFailure;
import dev.baton.engine.chain.Failures;
import dev.baton.engine.plan.PartPlan;
import dev.baton.engine.state.StateContents;
import dev.baton.engine.writing.FrameWriter;
import dev.baton.run.Environment;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import dev.baton.state.SnapshotPolicy;
import dev.baton.status.PartStatus;
import dev.baton.status.PartStatus.SnapshotStatus;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Predicate;

/**
 * The snapshots of one service in their topic: those found at the start, the one in progress, and those that are kept. The
 * two newest complete snapshots are kept, so that the older one can replace the newest one if that is damaged. Snapshots of changes
 * share their base and earlier changes, so damage there makes both unusable, and the start is refused.
 *
 * <p>A snapshot of keyed state consists of what changed since the one before, which its end record names. A whole state, the
 * base of the following ones, is written first, when the changes after the last base take as many bytes as that base, after
 * {@value #MOST_CHANGES} snapshots of changes, when these fill a quarter of a topic with little room, and when the newest complete
 * snapshot is not the one from which the state comes. A snapshot of changes whose predecessor is missing or damaged is not used.
 *
 * <p>A snapshot is read back: it is valid once its end record was read from the topic and is stored. Confined to its loop.
 */
final class Snapshots {
    private static final int FRAMES_PER_TURN = 32;
    private static final int MOST_CHANGES = 100; // snapshots after a base, which limits how old the base gets

    /** A complete snapshot that is kept. */
    private static final class Kept {
        final SnapshotScan.Whole whole;
        final Kept previous; // null for a base
        final Kept base;
        final int number; // of the snapshots after the base
        final long bytes; // of the base and the changes up to this one
        long inputPosition; // of the last input that it contains; NO_POSITION if that input was not read in this run

        Kept(SnapshotScan.Whole whole, Kept previous, long inputPosition) {
            this.whole = whole;
            this.previous = previous;
            this.base = previous == null ? this : previous.base;
            this.number = previous == null ? 0 : previous.number + 1;
            this.bytes = whole.end().content().bytes() + (previous == null ? 0 : previous.bytes);
            this.inputPosition = inputPosition;
        }

        void forgetBytes() {
            for (Kept each = this; each != null; each = each.previous) {
                each.whole.chunks().clear();
            }
        }
    }

    private final PartPlan plan;
    private final StateContents state;
    private final SnapshotPolicy policy;
    private final TopicWriter writer;
    private final TopicReader reader;
    private final Environment environment;
    private final SnapshotScan scan = new SnapshotScan(this::found);
    private final long lastAtOpen;
    private final Predicate<SnapshotEnd> isUsable;

    private Kept newest; // null for none
    private Kept older; // snapshot before it, null for none
    private SnapshotWriting writing; // null for none
    private long writingPosition; // position of its last input
    private long begunNanos;
    private long savedNanos = PartStatus.UNKNOWN;
    private boolean hasSkipped;
    private boolean isBroken; // the newest complete snapshot is not the one from which the state comes
    private boolean isLoaded;
    private long start; // sequence of the frame that shows that this start owns the topic, 0 before it is written
    private boolean isOwned;

    /**
     * Creates an instance for the topic's open writer and reader.
     *
     * @param isUsable whether a complete snapshot found at the start matches the current topics
     */
    Snapshots(
            PartPlan plan,
            StateContents state,
            TopicWriter writer,
            TopicReader reader,
            Environment environment,
            Predicate<SnapshotEnd> isUsable) {
        this.plan = plan;
        this.state = state;
        this.policy = plan.edges().snapshots();
        this.writer = writer;
        this.reader = reader;
        this.environment = environment;
        this.isUsable = isUsable;
        this.lastAtOpen = writer.sequence();
        this.begunNanos = environment.nanoTime();
    }

    /** Returns whether all frames that the topic held at the start were read. */
    boolean isLoaded() {
        return isLoaded;
    }

    /** Reads further frames that the topic held at the start; returns the work count. */
    int load() {
        int read = read();
        isLoaded = Math.max(scan.sequence(), reader.found().acknowledged()) >= lastAtOpen
                || hasSkipped && read == 0 && reader.backlog() == 0;
        if (isLoaded) {
            scan.keepNoBytes();
        }
        return read + (isLoaded ? 1 : 0);
    }

    /** Returns whether outputs may be written, because no other process owned the topic when the output was open. */
    boolean isOwned() {
        return isOwned;
    }

    /** Returns whether a frame that shows it is being stored. */
    boolean isOwning() {
        return start > 0 && !isOwned;
    }

    /**
     * Makes sure that this start owns its snapshots as well as its output; returns the work count.
     *
     * <p>If the newest writer of each topic is the valid one, two processes that start at the same time could own one topic each. The
     * snapshots of one would then count outputs of which the topic holds other ones. All starts open the snapshots before the output.
     * So a frame that is stored here after the output was opened shows that every later owner of the snapshots opens the
     * output later, too. The writer of a process that was replaced fails instead.
     */
    int own() {
        if (!plan.topics().snapshots().isContested()) {
            isOwned = true;
            return 1;
        }
        FrameWriter frames = plan.writers().ofRecords(writer);
        if (start == 0 && frames.remainingCapacity(0) > 0) {
            SnapshotWriting.write(frames, environment, SnapshotScan.START, 0, ByteBuffer.allocate(0));
            writer.flush();
            start = writer.sequence();
        }
        isOwned = start > 0 && writer.storedSequence() >= start;
        return isOwned ? 1 : 0;
    }

    private int read() {
        try {
            return reader.poll(scan, FRAMES_PER_TURN);
        } catch (DamagedTopicException damaged) {
            if (!reader.skipUnreadable()) {
                throw damaged;
            }
            scan.tear();
            hasSkipped = true;
            return 1;
        }
    }

    private void found(SnapshotScan.Whole whole) {
        if (isLoaded && writing == null) {
            return;
        }
        long follows = whole.end().content().follows();
        boolean isLinked = follows == 0 || newest != null && newest.whole.sequence() == follows;
        if (!isLoaded && !isUsable.test(whole.end()) || !isLinked) {
            isBroken = true;
            return;
        }
        if (follows == 0) {
            isBroken = false;
            if (newest != null) {
                newest.forgetBytes();
            }
        }
        older = newest;
        newest = new Kept(whole, follows == 0 ? null : newest, isLoaded ? writingPosition : SnapshotScan.NO_POSITION);
    }

    /** Returns the newest complete snapshot; null for none. */
    SnapshotScan.Whole newest() {
        return newest == null ? null : newest.whole;
    }

    /** Returns the snapshots that make up the newest state, beginning with its base; empty for none. */
    Deque<SnapshotScan.Whole> newestState() {
        Deque<SnapshotScan.Whole> parts = new ArrayDeque<>();
        for (Kept each = newest; each != null; each = each.previous) {
            parts.push(each.whole);
        }
        return parts;
    }

    /** Frees the chunks after the state was restored from them, or began empty instead. */
    void restored(boolean isEmpty) {
        if (newest != null) {
            newest.forgetBytes();
        }
        isBroken |= isEmpty;
    }

    /** Sets the position of the last input that the restored snapshot contains, when it is consumed again. */
    void metRestored(long position) {
        newest.inputPosition = position;
    }

    boolean isWriting() {
        return writing != null;
    }

    /** Returns whether the service is writing its state, during which it must not be called with inputs. */
    boolean isSaving() {
        return writing != null && !writing.isSaved() && !state.savesChanges();
    }

    /** Returns whether the interval has passed, or this number of inputs since the last snapshot requires a new one. */
    boolean isDue(long inputs) {
        return policy.inputs() > 0 && inputs >= policy.inputs()
                || environment.nanoTime() - begunNanos >= policy.interval().toNanos();
    }

    /** Returns the end of the interval by this process's clock. */
    long dueNanos() {
        return begunNanos + policy.interval().toNanos();
    }

    /** Begins a snapshot of the current state. */
    void begin(SnapshotEnd contents, long inputPosition) {
        begunNanos = environment.nanoTime();
        writingPosition = inputPosition;
        boolean isWhole = isNextWhole(contents.version());
        state.cut(isWhole);
        writing = new SnapshotWriting(
                state,
                contents,
                isWhole ? 0 : newest.whole.sequence(),
                plan.writers().ofRecords(writer),
                plan.writers().maxPayload(),
                policy.maxBytes(),
                environment);
    }

    private boolean isNextWhole(int version) {
        return !state.savesChanges()
                || isBroken
                || newest == null
                || newest.whole.end().version() != version
                || newest.number >= MOST_CHANGES
                || newest.whole.sequence() - newest.base.whole.sequence() >= mostFramesOfChanges()
                || newest.bytes - newest.base.bytes >= newest.base.bytes;
    }

    private long mostFramesOfChanges() {
        return Math.max(writer.capacity() / 4, newest.base.whole.end().content().chunks());
    }

    /** Continues the snapshot in progress; returns the work count. */
    int write(long storedOutput) {
        int work;
        try {
            work = writing.ended() > 0 ? 0 : writing.turn(storedOutput);
        } catch (Exception thrown) {
            throw new ServiceFailure(plan.name(), plan.input(), ServiceFailure.NO_MESSAGE, thrown);
        }
        work += read();
        long ended = writing.ended();
        if (ended > 0 && scan.sequence() >= ended && writer.storedSequence() >= ended) {
            savedNanos = environment.nanoTime() - begunNanos;
            writing = null;
            isBroken |= newest == null || newest.whole.sequence() != ended;
            work++;
        }
        return work;
    }

    /** Returns the position up to which inputs are no longer needed; {@link SnapshotScan#NO_POSITION} if it is not known. */
    long releasedInput() {
        return older == null ? SnapshotScan.NO_POSITION : older.inputPosition;
    }

    /** Allows the topic's retention to remove the frames before the base of the older of the two newest snapshots. */
    void trim() {
        if (older != null && older.base.whole.before() != SnapshotScan.NO_POSITION) {
            reader.acknowledge(older.base.whole.before());
        }
    }

    /** Returns the duration of the newest snapshot of this run; {@link PartStatus#UNKNOWN} for none. */
    long savedNanos() {
        return savedNanos;
    }

    /** Returns the end record of the snapshot in progress, or else of the newest; null for none. */
    SnapshotEnd lastBegun() {
        return writing != null ? writing.contents() : newest == null ? null : newest.whole.end();
    }

    SnapshotStatus status(long startNanos, boolean isIdle, long restoredInput, long restoredNanos) {
        SnapshotEnd end = newest == null ? null : newest.whole.end();
        long age = end == null ? PartStatus.UNKNOWN : Math.max(0, environment.wallNanos() - end.begunAt());
        long lateAge = end == null ? environment.nanoTime() - startNanos : age;
        return new SnapshotStatus(
                !isLoaded,
                writing != null,
                end == null ? 0 : end.input(),
                end == null ? 0 : end.content().bytes(),
                newest == null ? 0 : newest.bytes,
                savedNanos,
                age,
                !isIdle && lateAge > policy.warnAfter().toNanos(),
                restoredInput,
                restoredNanos);
    }

    /** Returns the failure that ended its writer or its reader; null while both work. */
    TransportException failure() {
        TransportException ended = writer.failure();
        return ended == null ? reader.failure() : ended;
    }

    boolean tryClose() {
        return reader.tryClose();
    }

    void close(boolean isAbandoned) {
        Failures.inOrder(isAbandoned ? reader::abandon : reader::close, writer::close);
    }
}
