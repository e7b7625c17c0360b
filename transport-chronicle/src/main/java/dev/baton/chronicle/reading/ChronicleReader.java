package dev.baton.chronicle.reading;

import dev.baton.chronicle.consumers.TailerPosition;
import dev.baton.chronicle.directory.TopicHistory;
import dev.baton.chronicle.format.Excerpt;
import dev.baton.chronicle.format.StoredMetadata;
import dev.baton.chronicle.format.StoredPosition;
import dev.baton.chronicle.log.LastFrame;
import dev.baton.chronicle.log.Scratch;
import dev.baton.chronicle.log.ScratchPool;
import dev.baton.chronicle.log.TopicLog;
import dev.baton.chronicle.platform.Boot;
import dev.baton.chronicle.platform.DirectoryLocks;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Incarnation;
import dev.baton.spi.ObservingConsumer;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicReader.TopicStart;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.ThreadConfinement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.wire.DocumentContext;

/**
 * A reader of a topic for a named consumer: copies one excerpt at a time out of the queue and passes its frames to the
 * handler.
 *
 * <p>The copy releases Chronicle's document before user code runs, and stays unchanged while the excerpt is consumed in
 * parts. A position is a frame's sequence.
 *
 * <p>The writer frees frames that an observing consumer has not read. Its reader looks after each copy how far it has,
 * before the frames are handed over: the writer stores that first. Confined to its connection's thread.
 */
public final class ChronicleReader implements TopicReader {
    /** The bytes after which an acknowledgement stores the index of its excerpt, behind which the writer frees. */
    private static final int FAR_BYTES = 16 << 10;

    private final Consumer<TopicReader> onClosed;
    private final TopicLog log;
    private final String consumer;
    private final ExcerptTailer tailer;
    private final TailerPosition position;
    private final ScratchPool pool;
    private final TopicStart found;
    private final StoredPosition end; // what is synced; null where frames need not be
    private final StoredPosition freed; // what may be gone unread; null for a consumer whose frames are kept
    private final Frame view = new Frame();

    private final ThreadConfinement confinement;

    /** The excerpt being consumed; between two, the last one; null before the first. */
    private Scratch scratch;

    private boolean hasScratch;
    /** The number of its frames not yet consumed, and the first of these. */
    private int left;

    private int frame;
    private long sequence;
    /** Its index and first sequence, kept until the next one is read. */
    private long index;

    private long firstOfExcerpt = 1;
    /** An excerpt whose index is stored once all before it is acknowledged; 0 for none. */
    private long marked;

    private long firstOfMarked;
    private long readBytes; // since the index was stored because of them
    /** The next sequence to read. */
    private long expected;
    /** The newest sequence handed over, and the newest acknowledged. */
    private long handed;

    private long acknowledged;
    private TopicHistory history;
    /** The writer of the excerpt, and the last sequence that is known to be its. */
    private Incarnation writer;

    private long lastOfWriter;
    /** True when the last poll found an excerpt that is no batch of frames, and that can be skipped. */
    private boolean isUnreadable;

    private boolean isRepeated; // the last poll stopped at an excerpt that repeats sequences
    private boolean dropsRepeated; // of the next excerpt, frames whose sequences an earlier one has are dropped
    /** True when an excerpt that may have held frames was skipped, since the last excerpt that was read. */
    private boolean mayHaveGap;

    private ChronicleReader(
            Consumer<TopicReader> onClosed,
            TopicLog log,
            String consumer,
            ScratchPool pool,
            TailerPosition position,
            ExcerptTailer tailer,
            long newest) {
        this.onClosed = onClosed;
        this.consumer = consumer;
        confinement = new ThreadConfinement("this reader of topic '" + log.topic + "'");
        this.pool = pool;
        this.log = log;
        this.position = position;
        this.tailer = tailer;
        acknowledged = position.sequence();
        handed = acknowledged;
        expected = acknowledged + 1;
        index = position.index();
        firstOfExcerpt = expected;
        history = log.history();
        found = new TopicStart(acknowledged, newest, history.identity());
        end = log.syncs() ? log.storedEnd() : null;
        freed = ObservingConsumer.isObserving(consumer) ? log.freedPosition() : null;
    }

    /**
     * Checks the files that a reader is to read, for as long as these are. Thread-safe; blocks.
     *
     * @return the index from which on all is checked, for {@link #open}; {@link Long#MAX_VALUE} when nothing is, as before a
     *     start at the end
     */
    public static long prepare(TopicLog log, String consumer, StartPosition from) {
        if (from.kind() == StartPosition.Kind.LATEST) {
            return Long.MAX_VALUE;
        }
        try {
            long index = from.isStored() ? TailerPosition.storedIndex(log, consumer) : 0;
            if (index == 0 || !log.format.hasFileOf(log.directory, index)) {
                index = log.freed().index();
            }
            log.format.checkBeforeReading(log.topic, log.directory, index);
            return index;
        } catch (IOException e) {
            throw log.failed("cannot be read", e);
        } catch (UncheckedIOException e) {
            throw log.failed("cannot be read", e.getCause());
        }
    }

    /**
     * Opens a reader of a log that the caller holds.
     *
     * @param onClosed called once, at the end of {@link #close}
     * @param from where the consumer begins
     * @param checked what {@link #prepare} has returned
     */
    public static ChronicleReader open(
            Consumer<TopicReader> onClosed,
            TopicLog log,
            String consumer,
            StartPosition from,
            long checked,
            ScratchPool pool,
            DirectoryLocks locks) {
        TailerPosition position = TailerPosition.open(log, consumer, locks);
        TailerPosition.Before before = null; // null unless it was moved to the start position
        ExcerptTailer tailer = null;
        try {
            moveBehindLoss(log, position, consumer, pool);
            boolean isPlaced = !from.isStored() || position.isNew();
            if (!from.isStored()) {
                before = new StartPositionSearch(log, pool, from).move(position);
            }
            TopicLog.Freed freed = OldestExcerpt.isLeft(log, position) ? null : log.freed();
            long first = freed == null ? position.index() : freed.index();
            if (first < checked) {
                log.format.checkBeforeReading(log.topic, log.directory, first);
            }
            tailer = log.queue.createTailer();
            tailer.singleThreadedCheckDisabled(true);
            if (freed != null || !OldestExcerpt.moveTo(tailer, log, position, pool)) {
                TopicLog.Freed start = freed == null ? log.freed() : freed;
                OldestExcerpt.find(tailer, log, start, position, pool, consumer);
            }
            long newest;
            try (StoredPosition end = log.storedEnd()) {
                log.read(end, StoredMetadata.END);
                newest = newestOf(log, pool);
                requireNoLostFrames(log, position, consumer, newest);
                if (newest != UNKNOWN) {
                    log.lostEnd(end, newest);
                }
            }
            if (isPlaced && log.syncs()) {
                log.syncMetadata(false); // so that retention keeps its frames after a power failure, too
            }
            return new ChronicleReader(onClosed, log, consumer, pool, position, tailer, newest);
        } catch (Exception | InternalError e) { // Chronicle throws undeclared checked exceptions
            if (before != null) {
                position.restore(before); // it has read nothing from where it was moved to
            }
            position.forgetIfAdded(); // or it would hold back the writer, though it has never read
            position.close();
            if (tailer != null) {
                tailer.close();
            }
            throw e instanceof TransportException known ? known : log.failed("cannot be read", e);
        }
    }

    /** Moves a consumer to the end of a topic that has lost frames in a power failure which its writer does not survive. */
    private static void moveBehindLoss(TopicLog log, TailerPosition position, String consumer, ScratchPool pool) {
        try (StoredPosition end = log.storedEnd()) {
            if (!end.read() || Boot.keeps(end.index())) {
                return;
            }
            long acknowledged = position.sequence();
            long newest = newestOf(log, pool);
            if (newest != UNKNOWN && newest < acknowledged) {
                position.moveTo(newest, 0);
                System.getLogger("dev.baton")
                        .log(
                                Level.WARNING,
                                "topic {0} in {1} ends at sequence {2}, but consumer {3} had acknowledged {4} before the"
                                        + " machine restarted; it continues behind sequence {2}",
                                log.topic,
                                log.directory,
                                Long.toString(newest),
                                consumer,
                                Long.toString(acknowledged));
            }
        }
    }

    /**
     * Checks that no acknowledged frame is lost: a writer would give later frames the same sequences, and they would be
     * skipped.
     */
    private static void requireNoLostFrames(TopicLog log, TailerPosition position, String consumer, long newest) {
        if (newest != UNKNOWN && newest < position.sequence()) {
            throw log.failed(
                    "ends at sequence " + newest + ", but consumer " + consumer + " has acknowledged "
                            + position.sequence()
                            + ": frames were lost, or two processes wrote it at once, as './baton verify' reports;"
                            + " restore its files, or delete the topic, which is",
                    null);
        }
    }

    /** Returns the newest sequence, of the writer of this process or else from the topic's end. */
    static long newestOf(TopicLog log, ScratchPool pool) {
        long newest = log.newest();
        return newest == Long.MAX_VALUE ? newestStored(log, pool) : newest;
    }

    /**
     * Returns the sequence of the last frame in the queue; {@link #UNKNOWN} while the newest excerpt is no batch of
     * frames.
     */
    private static long newestStored(TopicLog log, ScratchPool pool) {
        try {
            return LastFrame.of(log, pool, Excerpt.LONGEST).sequence();
        } catch (DamagedTopicException reportedByPoll) {
            return UNKNOWN;
        }
    }

    @Override
    public int poll(FrameHandler handler, int limit) {
        confinement.check();
        isUnreadable = false;
        isRepeated = false;
        if (limit < 1) {
            throw new IllegalArgumentException("limit is " + limit + ", it must be at least 1");
        }
        if (left > 0 && sequence <= acknowledged) { // refused, and acknowledged since
            advance(Excerpt.length(scratch.buffer, frame));
        }
        int consumed = 0;
        while (consumed < limit && (left > 0 || nextExcerpt(handler))) {
            int length = Excerpt.length(scratch.buffer, frame);
            handed = sequence;
            if (handler.onFrame(view.wrap(scratch.buffer, frame, length), sequence) == FrameHandler.Verdict.RETRY) {
                return consumed;
            }
            // not reached when the handler throws
            consumed++;
            advance(length);
        }
        return consumed;
    }

    private void advance(int length) {
        sequence++;
        left--;
        if (left > 0) {
            frame = Excerpt.nextFrame(Excerpt.end(frame, length));
        } else if (hasScratch) {
            hasScratch = false;
            pool.give(scratch);
        }
    }

    /** Copies the next excerpt that holds a frame not yet acknowledged. */
    private boolean nextExcerpt(FrameHandler handler) {
        while (readable() >= expected && confinement.isHeld()) {
            if (!copyNext()) {
                return false;
            }
            while (left > 0 && sequence <= acknowledged) {
                advance(Excerpt.length(scratch.buffer, frame));
            }
            if (left > 0) {
                notifyOfWriter(handler);
                return true;
            }
        }
        return false;
    }

    private long readable() {
        return readable(log, end);
    }

    /**
     * Returns the newest sequence that may be handed over. A writer of another process stores in the metadata what it has
     * synced; what is not synced may be lost, and its sequences given to other frames.
     *
     * @param end record of the end; null where frames need not be synced
     */
    static long readable(TopicLog log, StoredPosition end) {
        long newest = log.newest();
        return newest == Long.MAX_VALUE && end != null && end.read() && Boot.isSynced(end.index())
                ? end.sequence()
                : newest;
    }

    private boolean copyNext() {
        position.requireHeld(log, consumer);
        try (DocumentContext document = tailer.readingDocument()) {
            if (!document.isPresent()) {
                requireLeft(document);
                return false;
            }
            Scratch filled = copy(document);
            if (filled == null) {
                return true;
            }
            if (filled != scratch) {
                scratch = filled;
            }
            hasScratch = true;
        } catch (TransportException known) {
            throw known;
        } catch (Exception | InternalError | AssertionError e) { // Chronicle throws undeclared checked exceptions
            throw log.failed("cannot be read", e);
        }
        index = tailer.lastReadIndex();
        firstOfExcerpt = Excerpt.firstSequence(scratch.buffer, 0);
        sequence = firstOfExcerpt;
        left = Excerpt.frames(scratch.buffer, 0);
        readBytes += Excerpt.bytes(scratch.buffer, 0);
        frame = Excerpt.FIRST_FRAME;
        long due = dropsRepeated ? expected : firstOfExcerpt;
        expected = Math.max(due, firstOfExcerpt + left);
        while (left > 0 && sequence < due) {
            advance(Excerpt.length(scratch.buffer, frame));
        }
        dropsRepeated = false;
        mayHaveGap = false;
        return true;
    }

    /** Notifies the handler of a new writer; all frames of an excerpt have the same one. */
    private void notifyOfWriter(FrameHandler handler) {
        TopicHistory now = log.history();
        if (now != history || firstOfExcerpt > lastOfWriter) {
            history = now;
            Incarnation met = now.writers().at(firstOfExcerpt);
            lastOfWriter = now.writers().lastOf(firstOfExcerpt);
            if (met != writer) {
                writer = met;
                handler.onWriter(met);
            }
        }
    }

    @Override
    public TopicStart found() {
        return found;
    }

    @Override
    public Incarnation writer() {
        return writer;
    }

    /**
     * Copies an excerpt; returns null for one that is no batch of frames and lies before an acknowledged frame, as it
     * was reported before.
     */
    private Scratch copy(DocumentContext document) {
        Scratch filled;
        try {
            filled = log.copy(document, pool);
        } catch (DamagedTopicException unreadable) {
            requireLeft(document);
            if (!unreadable.isEnd() && isBeforeAcknowledged(document)) {
                mayHaveGap = true;
                return null;
            }
            isUnreadable = !unreadable.isEnd();
            document.rollbackOnClose();
            throw unreadable;
        }
        requireLeft(document);
        long first = Excerpt.firstSequence(filled.buffer, 0);
        if (first < expected && scratch != null && expected > acknowledged && !dropsRepeated) {
            pool.give(filled);
            isUnreadable = true;
            isRepeated = true;
            document.rollbackOnClose();
            throw log.repeated(document, first, expected - 1);
        }
        long due = Math.max(expected, acknowledged + 1);
        if (first > due && !mayHaveGap) {
            pool.give(filled);
            document.rollbackOnClose();
            throw OldestExcerpt.gone(log, consumer, due, first - 1);
        }
        return filled;
    }

    /**
     * Returns whether an excerpt that is no batch of frames lies before an acknowledged frame. Before the first excerpt was read,
     * that is decided by the next one.
     */
    private boolean isBeforeAcknowledged(DocumentContext document) {
        if (scratch != null || acknowledged == 0) {
            return expected <= acknowledged;
        }
        try (ExcerptTailer next = log.queue.createTailer()) {
            next.singleThreadedCheckDisabled(true);
            boolean isMore = next.moveToIndex(document.index());
            while (isMore) {
                try (DocumentContext behind = next.readingDocument()) {
                    isMore = behind.isPresent();
                    if (isMore) {
                        Scratch filled = log.copy(behind, pool);
                        long first = Excerpt.firstSequence(filled.buffer, 0);
                        pool.give(filled);
                        return first <= acknowledged;
                    }
                } catch (DamagedTopicException unreadable) {
                    isMore = !unreadable.isEnd();
                }
            }
        }
        return false;
    }

    /**
     * Checks that the next frame was not freed, of which zeros may be left.
     *
     * @throws TransportException when it was; the tailer stays there
     */
    private void requireLeft(DocumentContext document) {
        if (freed == null) {
            return;
        }
        VarHandle.acquireFence(); // after the frames were copied
        log.read(freed);
        long due = Math.max(expected, acknowledged + 1);
        if (freed.sequence() >= due) {
            document.rollbackOnClose();
            throw OldestExcerpt.gone(log, consumer, due, freed.sequence());
        }
    }

    /** Skips an excerpt, or those frames of it whose sequences an earlier one has. */
    @Override
    public boolean skipUnreadable() {
        confinement.check();
        if (!isUnreadable) {
            return false;
        }
        isUnreadable = false;
        if (isRepeated) {
            dropsRepeated = true;
            return true;
        }
        mayHaveGap = true;
        try (DocumentContext document = tailer.readingDocument()) {
            return document.isPresent();
        } catch (Exception | InternalError | AssertionError e) { // as in copyNext
            throw log.failed("cannot be read", e);
        }
    }

    @Override
    public void acknowledge(long upTo) {
        confinement.check();
        if (upTo > handed) {
            throw new IllegalArgumentException(
                    "acknowledge of " + upTo + ", the newest frame handed over is " + handed);
        }
        if (upTo <= acknowledged) {
            return;
        }
        position.requireHeld(log, consumer);
        acknowledged = upTo;
        long excerpt = position.index();
        if (upTo >= firstOfExcerpt - 1) {
            excerpt = index;
            marked = 0;
        } else if (marked == 0) {
            mark();
        } else if (upTo >= firstOfMarked - 1) {
            excerpt = marked;
            mark();
        }
        boolean isFar = readBytes >= FAR_BYTES;
        position.advance(upTo, excerpt, isFar);
        readBytes = isFar ? 0 : readBytes;
    }

    /**
     * Marks the present index, to be stored when acknowledgements, which lag by more than an excerpt, have reached it.
     */
    private void mark() {
        marked = index;
        firstOfMarked = firstOfExcerpt;
    }

    /** Returns the backlog by the newest sequence, which for a writer of another process is read from the queue. */
    @Override
    public long backlog() {
        confinement.check();
        long newest = readable();
        if (newest == Long.MAX_VALUE) {
            newest = newestStored(log, pool);
            if (newest == UNKNOWN) {
                return UNKNOWN;
            }
        }
        long next = left > 0 ? sequence : Math.max(expected, acknowledged + 1);
        return Math.max(0, newest - next + 1);
    }

    @Override
    public void close() {
        if (!confinement.release()) {
            return;
        }
        // not returned to the pool: a handler may be reading it
        hasScratch = false;
        left = 0;
        try {
            position.close();
            tailer.close();
            if (end != null) {
                end.close();
            }
            if (freed != null) {
                freed.close();
            }
        } finally {
            onClosed.accept(this);
        }
    }
}
