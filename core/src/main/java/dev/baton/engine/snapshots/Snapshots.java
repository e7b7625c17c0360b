package dev.baton.engine.snapshots;

import dev.baton.ServiceFailure;
import dev.baton.StatefulService;
import dev.baton.engine.chain.Failures;
import dev.baton.engine.cycle.ServicePlan;
import dev.baton.run.Environment;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import dev.baton.state.SnapshotPolicy;
import dev.baton.state.SnapshotStatus;
import dev.baton.status.PartStatus;
import java.util.function.Predicate;

/**
 * The snapshots of one service in their topic: those found at the start, the one in progress, and which are kept. Always the
 * two newest whole ones are, so that a damaged one can be passed over for the one before.
 *
 * <p>What is written is read back: a snapshot counts once its end record has come out of the topic again and is stored.
 * Confined to its loop.
 */
public final class Snapshots {
    private static final int FRAMES_PER_TURN = 32;

    /** A whole snapshot that is kept. */
    private static final class Kept {
        final SnapshotScan.Whole whole;
        long inputPosition; // of the last input that it contains; NO_POSITION: not met in this run

        Kept(SnapshotScan.Whole whole, long inputPosition) {
            this.whole = whole;
            this.inputPosition = inputPosition;
        }
    }

    private final ServicePlan plan;
    private final StatefulService service;
    private final SnapshotPolicy policy;
    private final TopicWriter writer;
    private final TopicReader reader;
    private final Environment environment;
    private final SnapshotScan scan = new SnapshotScan(true, this::found);
    private final long lastAtOpen;
    private final Predicate<SnapshotEnd> isUsable;

    private Kept newest; // null for none
    private Kept older; // the one before it, null for none
    private SnapshotWriting writing; // null for none
    private long writingPosition; // of its last input
    private long begunNanos;
    private long savedNanos = PartStatus.UNKNOWN;
    private boolean hasSkipped;
    private boolean isLoaded;

    /**
     * Over the topic's writer and reader, which are open.
     *
     * @param isUsable whether a whole snapshot found at the start fits the topics as they are
     */
    Snapshots(
            ServicePlan plan,
            TopicWriter writer,
            TopicReader reader,
            Environment environment,
            Predicate<SnapshotEnd> isUsable) {
        this.plan = plan;
        this.service = plan.service().state();
        this.policy = plan.edges().snapshots();
        this.writer = writer;
        this.reader = reader;
        this.environment = environment;
        this.isUsable = isUsable;
        this.lastAtOpen = writer.sequence();
        this.begunNanos = environment.nanoTime();
    }

    /** Whether all that the topic held at the start was read. */
    boolean isLoaded() {
        return isLoaded;
    }

    /** Reads on in what the topic held at the start; answers with the work done. */
    int load() {
        int read = read();
        isLoaded = Math.max(scan.sequence(), reader.sequenceAtOpen()) >= lastAtOpen
                || hasSkipped && read == 0 && reader.backlog() == 0;
        if (isLoaded) {
            scan.keepNoBytes();
        }
        return read + (isLoaded ? 1 : 0);
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
        if (!isLoaded) {
            if (isUsable.test(whole.end())) {
                keep(new Kept(whole, SnapshotScan.NO_POSITION));
            }
        } else if (writing != null) {
            keep(new Kept(whole, writingPosition));
        }
    }

    private void keep(Kept next) {
        if (older != null) {
            older.whole.chunks().clear();
        }
        older = newest;
        newest = next;
    }

    /** The newest whole snapshot; null for none. */
    SnapshotScan.Whole newest() {
        return newest == null ? null : newest.whole;
    }

    /** Snapshots found at the start that were begun and are not whole. */
    int torn() {
        return scan.torn();
    }

    /** The state was taken out of the chunks. */
    void forgetBytes() {
        if (newest != null) {
            newest.whole.chunks().clear();
        }
        if (older != null) {
            older.whole.chunks().clear();
        }
    }

    /** The last input of the snapshot that this run began with was consumed again. */
    void metRestored(long position) {
        newest.inputPosition = position;
    }

    boolean isWriting() {
        return writing != null;
    }

    /** Whether the service writes its state, and may get nothing meanwhile. */
    boolean isSaving() {
        return writing != null && !writing.isSaved();
    }

    /** Whether the interval is over, or so many inputs have come since the last one. */
    boolean isDue(long inputs) {
        return policy.inputs() > 0 && inputs >= policy.inputs()
                || environment.nanoTime() - begunNanos >= policy.interval().toNanos();
    }

    /** When the interval is over, by this process's clock. */
    long dueNanos() {
        return begunNanos + policy.interval().toNanos();
    }

    /** Begins a snapshot of the state as it is now. */
    void begin(SnapshotEnd contents, long inputPosition) {
        begunNanos = environment.nanoTime();
        writingPosition = inputPosition;
        writing = new SnapshotWriting(
                service, contents, writer, plan.writers().maxPayload(), policy.maxBytes(), environment);
    }

    /** Goes on with the snapshot in progress; answers with the work done. */
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
            work++;
        }
        return work;
    }

    /** Position up to which the inputs are not needed any more, {@link SnapshotScan#NO_POSITION} when that is not known. */
    long releasedInput() {
        return older == null ? SnapshotScan.NO_POSITION : older.inputPosition;
    }

    /** Has the topic's retention remove what is in front of the older of the two newest. */
    void trim() {
        if (older != null && older.whole.before() != SnapshotScan.NO_POSITION) {
            reader.acknowledge(older.whole.before());
        }
    }

    /** How long the newest one that this run took has taken, {@link PartStatus#UNKNOWN} for none. */
    long savedNanos() {
        return savedNanos;
    }

    /** Contents of the one in progress, else of the newest; null for none. */
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
                end == null ? 0 : end.bytes(),
                savedNanos,
                age,
                !isIdle && lateAge > policy.warnAfter().toNanos(),
                restoredInput,
                restoredNanos);
    }

    /** Why its writer or its reader has ended; null while both work. */
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
