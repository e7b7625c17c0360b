package dev.baton.chronicle.writing;

import dev.baton.chronicle.ChronicleOptions;
import dev.baton.chronicle.consumers.Backlog;
import dev.baton.chronicle.consumers.TailerPosition;
import dev.baton.chronicle.directory.TopicHistory;
import dev.baton.chronicle.fencing.WriterLock;
import dev.baton.chronicle.format.Excerpt;
import dev.baton.chronicle.format.StoredMetadata;
import dev.baton.chronicle.format.StoredPosition;
import dev.baton.chronicle.log.LastFrame;
import dev.baton.chronicle.log.ScratchPool;
import dev.baton.chronicle.log.TopicLog;
import dev.baton.chronicle.platform.Boot;
import dev.baton.chronicle.platform.DirectoryLocks;
import dev.baton.chronicle.platform.DiskSpace;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.TopicWriter.ConsumerLag;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.ClaimingWriter;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;
import net.openhft.chronicle.queue.ExcerptAppender;

/**
 * The one writer of a topic: fills an {@link ExcerptBatch} and appends it at the flush.
 *
 * <p>Chronicle is not accessed between two flushes, so no lock is held while user code runs. Confined to its
 * connection's thread.
 */
public final class ChronicleWriter extends ClaimingWriter {
    /** The most scratch memory that a batch of the longest payloads may take. */
    private static final int MOST_BATCH_BYTES = 1 << 29;

    private static final long END_MILLIS = 1_000;

    private final Consumer<TopicWriter> onClosed;
    private final TopicLog log;
    private final WriterLock lock;
    private final ExcerptAppender appender;
    private final Backlog backlog;
    private final TopicFile file;
    private final ExcerptBatch batch;
    private final int capacity;
    private final TopicEnd found;
    private final Incarnation incarnation;
    private final StoredPosition end;

    private long endMillis; // when the end was stored last, with durability=host synced
    private TopicHistory history;
    private long sequence;
    private long stored;
    /** The failure that ended this writer, after which nothing more is written; null before. */
    private Throwable failure;

    private ChronicleWriter(
            Consumer<TopicWriter> onClosed,
            TopicLog log,
            String topology,
            ScratchPool pool,
            WriterLock lock,
            Backlog backlog,
            DiskSpace space,
            TopicSync sync,
            StoredPosition end,
            ChronicleOptions options) {
        super(log.topic, Excerpt.maxPayload(options.get(ChronicleOptions.BLOCK_SIZE)), "block-size");
        this.onClosed = onClosed;
        this.log = log;
        this.lock = lock;
        this.backlog = backlog;
        this.end = end;
        batch = new ExcerptBatch(pool, Excerpt.longest(options.get(ChronicleOptions.BLOCK_SIZE)), log.syncs());
        capacity = Math.min(
                Math.min(options.get(ChronicleOptions.BATCH), options.get(ChronicleOptions.BACKLOG)),
                MOST_BATCH_BYTES / Excerpt.longest(options.get(ChronicleOptions.BLOCK_SIZE)));
        log.continueInNewestFile();
        log.read(end, StoredMetadata.END);
        LastFrame last = LastFrame.of(log, pool, Excerpt.longest(options.get(ChronicleOptions.BLOCK_SIZE)));
        sequence = last.sequence();
        long lost = log.lostEnd(end, sequence);
        reportLost(Boot.keeps(end.index()) ? lost : Math.max(lost, TailerPosition.moveBack(log, sequence)));
        stored = sequence;
        TopicHistory before = log.history();
        found = TopicEnd.at(last.frame(), false, before.writers().at(sequence), before.inputOf(sequence));
        history = log.beginWriter(topology, sequence + 1);
        incarnation = history.writers().newest();
        appender = log.queue.createAppender();
        appender.singleThreadedCheckDisabled(true);
        file = new TopicFile(log, appender, backlog, space, sync, options);
        try {
            log.store(end, sequence);
            file.syncPositions();
        } catch (RuntimeException | InternalError e) {
            file.close();
            appender.close();
            throw e;
        }
        log.newest(sequence); // last: readers of this transport rely on it until this writer closes
    }

    private void reportLost(long lost) {
        if (lost > 0) {
            System.getLogger("dev.baton")
                    .log(
                            Level.WARNING,
                            "topic {0} in {1} ends at sequence {2}, but {3} was stored before the machine restarted:"
                                    + " messages are lost, as durability=process does not survive a power failure",
                            log.topic,
                            log.directory,
                            Long.toString(sequence),
                            Long.toString(lost));
        }
    }

    /** Syncs what a writer is going to confirm at its opening, where that takes long. Thread-safe; blocks. */
    public static void prepare(TopicLog log) {
        if (log.syncs()) {
            TopicSync.prepare(log);
        }
    }

    /**
     * Opens the writer of a log that the caller holds.
     *
     * @param onClosed called once, at the end of {@link #close}
     */
    public static ChronicleWriter open(
            Consumer<TopicWriter> onClosed,
            TopicLog log,
            String topology,
            ScratchPool pool,
            DirectoryLocks locks,
            DiskSpace space,
            ChronicleOptions options) {
        WriterLock lock = WriterLock.take(log, locks);
        Backlog backlog = null;
        TopicSync sync = null;
        StoredPosition end = null;
        try {
            backlog = new Backlog(log, options.get(ChronicleOptions.BACKLOG));
            sync = log.syncs() ? new TopicSync(log) : null; // before the newest frame counts as stored
            end = log.storedEnd();
            return new ChronicleWriter(onClosed, log, topology, pool, lock, backlog, space, sync, end, options);
        } catch (Exception | InternalError e) { // Chronicle throws undeclared checked exceptions
            if (backlog != null) {
                backlog.close();
            }
            if (sync != null) {
                sync.close();
            }
            if (end != null) {
                end.close();
            }
            lock.release(log);
            throw e instanceof TransportException known ? known : log.failed("cannot be written", e);
        }
    }

    @Override
    public int remainingCapacity() {
        check();
        return backlog.room(sequence, capacity - batch.frames());
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public ConsumerLag slowestConsumer() {
        check();
        return backlog.slowest(sequence - batch.frames());
    }

    @Override
    public Frame claim(int maxLength) {
        requireClaimable(maxLength);
        requireWorking();
        if (remainingCapacity() == 0) {
            return null;
        }
        Frame frame = batch.claim(maxLength);
        openClaim(maxLength);
        return frame;
    }

    @Override
    public long commit(int length) {
        endClaim(length);
        batch.commit(length, sequence + 1);
        return ++sequence;
    }

    @Override
    public void abort() {
        check();
        if (hasClaim()) {
            discardClaim();
            batch.abort();
        }
    }

    @Override
    public void flush() {
        check();
        requireNoClaim();
        requireWorking();
        if (batch.frames() > 0) {
            append();
        }
    }

    private void append() {
        requireWorking();
        long now = log.holdClock();
        try {
            lock.check(log, now);
            batch.appendTo(appender, file);
            file.sync();
            lock.requireHeld(log); // or a writer that has taken over meanwhile may not have seen these frames
            storeEnd(now);
        } catch (Exception | InternalError | AssertionError e) {
            // InternalError: the mapped file has no page for this address, as when the disk is full
            throw fail(e);
        } finally {
            log.releaseClock();
        }
        stored = sequence;
        log.newest(sequence);
    }

    /** Stores the topic's end: with durability=host always, and once a second synced; otherwise once a second. */
    private void storeEnd(long now) {
        boolean isDue = now - endMillis >= END_MILLIS || now < endMillis;
        if (isDue || log.syncs()) {
            log.store(end, sequence);
        }
        if (isDue) {
            endMillis = now;
            file.syncPositions();
        }
    }

    /** Syncs the record of the end at the close, without which readers receive the last frames when a writer opens. */
    private void syncEnd() {
        try {
            file.syncPositions();
        } catch (RuntimeException notSynced) { // the frames are synced
            System.getLogger("dev.baton")
                    .log(Level.WARNING, "topic {0} in {1}: {2}", log.topic, log.directory, notSynced.getMessage());
        }
    }

    /** Ends this writer: it writes and confirms nothing from now on. */
    private TransportException fail(Throwable cause) {
        failure = cause;
        batch.clear();
        return failed();
    }

    private void requireWorking() {
        if (failure != null) {
            throw failed();
        }
    }

    private TransportException failed() {
        if (failure instanceof ReplacedException replaced) {
            return new ReplacedException(replaced.topic(), replaced.getMessage(), replaced);
        }
        if (failure instanceof TransportException known) {
            return new TransportException(known.getMessage() + unconfirmed(), known);
        }
        return log.failed(
                "cannot be written any more until it is opened again"
                        + (failure instanceof InternalError ? " (is the disk full?)" : "") + unconfirmed(),
                failure);
    }

    private String unconfirmed() {
        return sequence == stored ? "" : " (sequences " + (stored + 1) + " to " + sequence + " were not confirmed)";
    }

    @Override
    public void rewind(long to) {
        long flushed = sequence - batch.frames();
        requireRewindable(to, flushed);
        batch.truncate((int) (to - flushed));
        sequence = to;
        InputRef newest = history.inputBehind(to + 1);
        if (newest != null) {
            answer(newest);
        }
    }

    @Override
    public long sequence() {
        return sequence;
    }

    @Override
    public long storedSequence() {
        return stored;
    }

    @Override
    public TransportException failure() {
        return failure == null ? null : failed();
    }

    @Override
    public TopicEnd found() {
        return found;
    }

    @Override
    public void answers(InputRef input) {
        check();
        requireWorking();
        answer(input);
    }

    private void answer(InputRef input) {
        try {
            lock.requireHeld(log);
            history = history.answering(log.topic, sequence + 1, input, log.device);
        } catch (TransportException e) {
            throw fail(e);
        }
        log.history(history);
    }

    @Override
    public Incarnation incarnation() {
        return incarnation;
    }

    @Override
    public void close() {
        if (!release()) {
            return;
        }
        try {
            discardClaim();
            if (failure == null && batch.frames() > 0) {
                append();
            }
        } finally {
            // before another process may write
            log.writerClosed();
            if (failure == null && lock.isHeld()) { // or the end is that of the writer which has taken over
                log.storeAtClose(end, stored);
                syncEnd();
            }
            end.close();
            file.close();
            appender.close();
            backlog.close();
            lock.release(log);
            onClosed.accept(this);
        }
    }
}
