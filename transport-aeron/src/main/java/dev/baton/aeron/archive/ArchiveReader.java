package dev.baton.aeron.archive;

import dev.baton.aeron.ArchiveOptions;
import dev.baton.aeron.log.FragmentChecksum;
import dev.baton.aeron.log.FragmentLayout;
import dev.baton.aeron.log.FragmentReader;
import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Catalog;
import dev.baton.aeron.recording.Copy;
import dev.baton.aeron.recording.LiveImage;
import dev.baton.aeron.recording.RecordingDescriptor;
import dev.baton.aeron.recording.RecordingReplay;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Incarnation;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader.TopicStart;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import io.aeron.Aeron;
import io.aeron.Image;
import io.aeron.logbuffer.Header;
import java.lang.System.Logger.Level;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The reader of a topic. It hands over nothing that is not recorded, and reads it in one of two ways:
 *
 * <ul>
 *   <li>by a replay of the Archive. A replay follows the recording while it is written, and ends with its writer. Then the reader
 *       asks the Archive at intervals for the end of the recording, and begins another replay where the last one ended;
 *   <li>from the live log of a writer in the same media driver, once a replay has caught up with it, up to the recorded position.
 *       A reader that falls behind, or whose writer ends, begins a replay where it stands.
 * </ul>
 *
 * <p>With a standby it hands over nothing that the standby has not recorded, too: nobody has acknowledged or answered a frame that is
 * lost with the Archive's host. Neither way waits for the Archive. Confined to the thread that opened it.
 */
final class ArchiveReader extends FragmentReader implements ArchiveSession.Answer {
    /**
     * The interval between two requests for the end of the recording: doubled up to the longest one while there is nothing to
     * read.
     */
    private static final long FIRST_PAUSE_NANOS = 500_000;

    private static final long LONGEST_PAUSE_NANOS = 16_000_000;

    /**
     * The interval between two attempts to join the live log: doubled with each that fails and with each return to a replay, up
     * to the longest one, until a reader stays for that long.
     */
    private static final long FIRST_JOIN_NANOS = 10_000_000;

    private static final long LONGEST_JOIN_NANOS = 2_000_000_000;

    /** The age at which a request counts as lost. */
    private static final long ANSWER_NANOS = 500_000_000;

    private final ArchiveSession session;
    private final RecordingDescriptor recording;
    private final String consumerName;
    private final RecordedPosition stored;
    private final Copy standby; // of the topic
    private final Consumer<ArchiveReader> onClose;
    private final TopicStart found;
    private final boolean frees;
    private final boolean joinsLive;
    private final FragmentChecksum checksum = new FragmentChecksum();
    private final UnsafeBuffer copy; // of a fragment of the live log

    private RecordingReplay replay; // null between two
    private RecordingReplay ended; // the one before
    private LiveImage live; // null unless the reader joins it, or reads from it
    private boolean isLive; // reads from it
    private long joinAtNanos = System.nanoTime(); // when to look for it again
    private long joinPauseNanos = FIRST_JOIN_NANOS;
    private long joinedNanos;
    private boolean isOvertaken; // the live log was overwritten before it was read
    private long begunAt = -1; // position of the newest one
    private int attempts; // replays from there, one after the other
    private final Stall stall;
    private long position; // in the log, of the next fragment that no replay and no live image has handed over
    private long heldFrom; // in the log: what is before it is acknowledged
    private long acknowledged; // sequence
    private long segment; // in which the held position lies
    private boolean isSegmentRead;
    private long asked = Aeron.NULL_VALUE;
    private long askAtNanos;
    private long askedNanos;
    private long askedCalls;
    private long pauseNanos = FIRST_PAUSE_NANOS;
    private Incarnation writer; // of the frames to come
    private final NewestSequence newest;
    private RuntimeException failure; // of a poll or of a turn, after it nothing is read

    private ArchiveReader(
            ArchiveSession session,
            Copy standby,
            String consumer,
            RecordedPosition stored,
            RecordingSearch.Place place,
            long newestAtOpen,
            Consumer<ArchiveReader> onClose) {
        super(standby.original().topic());
        this.session = session;
        this.standby = standby;
        recording = standby.original();
        consumerName = consumer;
        this.stored = stored;
        newest = new NewestSequence(session, recording, newestAtOpen);
        this.onClose = onClose;
        stall = new Stall();
        frees = session.options().get(ArchiveOptions.RETENTION) == ArchiveOptions.Retention.UNREAD;
        joinsLive = !session.options().isRemote();
        copy = new UnsafeBuffer(
                ByteBuffer.allocateDirect(joinsLive ? recording.mtu() : 0).order(ByteOrder.LITTLE_ENDIAN));
        acknowledged = place.before();
        found = new TopicStart(acknowledged, newestAtOpen, recording.identity());
        heldFrom = place.position();
        position = recording.termOf(heldFrom);
        segment = recording.segmentOf(heldFrom);
        beginBehind(acknowledged);
        stored.moveTo(acknowledged, heldFrom);
        askAtNanos = System.nanoTime();
    }

    /**
     * Opens a consumer. Waits for the Archive.
     *
     * @param from where the consumer begins
     * @param waits whether it may wait for a reader that was killed
     */
    static ArchiveReader open(
            ArchiveSession session,
            RecordingDescriptor topic,
            String consumer,
            StartPosition from,
            boolean waits,
            Consumer<ArchiveReader> onClose) {
        return RecordedEnd.behindTornTail(
                session, topic, present -> openAt(session, present, consumer, from, waits, onClose));
    }

    private static ArchiveReader openAt(
            ArchiveSession session,
            RecordingDescriptor topic,
            String consumer,
            StartPosition from,
            boolean waits,
            Consumer<ArchiveReader> onClose) {
        RecordedPosition position = RecordedPosition.open(session, topic, consumer, waits);
        try {
            RecordingDescriptor recording = Catalog.again(session, topic); // from here on nothing of it is purged
            if (recording == null) {
                throw new TransportException("topic '" + topic.topic() + "' was deleted");
            }
            Copy standby = Copy.ofReader(session, recording);
            long last = Catalog.end(session, recording);
            long end = from.isStored() ? last : Math.min(last, standby.position());
            LogEnd newest = LogEnd.of(session, recording, end);
            RecordingSearch search = new RecordingSearch(session, recording, end, newest.sequence());
            RecordedPosition.Stored before = position.atOpen();
            RecordingSearch.Place place;
            if (!from.isStored()) {
                place = search.find(from);
            } else if (before == null) {
                place = new RecordingSearch.Place(search.oldest() - 1, recording.start());
            } else if (newest.sequence() < before.sequence() && RecordedEnd.isLostWithHost(session, recording)) {
                place = new RecordingSearch.Place(newest.sequence(), end);
                System.getLogger("dev.baton")
                        .log(
                                Level.WARNING,
                                "topic ''{0}'' ends at sequence {1}, but consumer ''{2}'' had acknowledged {3} before the"
                                        + " host was restarted; it continues behind sequence {1}",
                                topic.topic(),
                                Long.toString(newest.sequence()),
                                consumer,
                                Long.toString(before.sequence()));
            } else {
                requireKept(recording, consumer, search, newest.sequence(), before);
                place = before.position() <= end
                        ? new RecordingSearch.Place(before.sequence(), before.position())
                        : search.find(StartPosition.sequence(before.sequence() + 1));
            }
            ArchiveReader reader =
                    new ArchiveReader(session, standby, consumer, position, place, newest.sequence(), onClose);
            if (before == null || !from.isStored()) {
                position.storeNow();
            }
            return reader;
        } catch (RuntimeException | Error failed) { // an Error for example without direct memory
            CloseHelper.quietClose(position::withdraw); // the Archive may be gone, which is not the cause
            throw failed;
        }
    }

    /**
     * Refuses a consumer whose frames are lost, because another program has purged segments or an older copy of the Archive was
     * restored.
     */
    private static void requireKept(
            RecordingDescriptor recording,
            String consumer,
            RecordingSearch search,
            long newest,
            RecordedPosition.Stored before) {
        if (newest < before.sequence()) {
            throw new TransportException("topic '" + recording.topic() + "' ends at sequence " + newest
                    + ", but consumer '" + consumer + "' has acknowledged " + before.sequence()
                    + ": frames were lost; restore the Archive, or delete the topic");
        }
        if (before.position() < recording.start()) {
            long oldest = search.oldest();
            if (oldest > before.sequence() + 1) {
                throw new TransportException("topic '" + recording.topic() + "' has lost sequences "
                        + (before.sequence() + 1) + " to " + (oldest - 1) + ", which consumer '" + consumer
                        + "' has not read: their segments were purged; read as another consumer, which starts at the"
                        + " oldest frame left");
            }
        }
    }

    @Override
    public Action onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        long end = behind(offset + length);
        if (!isLive) {
            return onRecorded(buffer.byteBuffer(), buffer.wrapAdjustment() + offset, length, end);
        }
        if (!isCopied(buffer, offset, length, header, end)) {
            return Action.ABORT;
        }
        Action action = onRecorded(copy.byteBuffer(), copy.wrapAdjustment(), length, end);
        if (action != Action.ABORT) {
            position = end;
        }
        return action;
    }

    /**
     * Copies a fragment of the live log. The driver frees what a blocked reader has not read, and the writer may overwrite the log
     * then. Returns whether the copy is whole, which the header behind the copied bytes tells.
     */
    private boolean isCopied(DirectBuffer buffer, int offset, int length, Header header, long end) {
        if (length <= copy.capacity()) {
            copy.putBytes(0, buffer, offset, length);
            VarHandle.acquireFence(); // the header is read behind the bytes
            isOvertaken = header.position() != end;
        } else {
            isOvertaken = true;
        }
        return !isOvertaken;
    }

    private Action onRecorded(ByteBuffer memory, int begin, int length, long end) {
        boolean isCheckpoint = Checkpoint.isAt(memory, begin);
        if (!isCheckpoint && !isWithinFragment() && !checksum.agrees(memory, begin, length)) {
            failure = FragmentChecksum.damage( // thrown by the poll, as Aeron would swallow it
                    recording.topic(), recording.id(), memory, begin, length, end);
            return Action.ABORT;
        }
        long before =
                isCheckpoint ? Checkpoint.sequence(memory, begin) : FragmentLayout.firstSequence(memory, begin) - 1;
        if (before > read()) {
            failure = new DamagedTopicException(
                    "topic '" + recording.topic() + "' is damaged: at log position " + end
                            + " a fragment follows sequence " + before + ", but consumer '" + consumerName
                            + "' has read up to sequence " + read()
                            + "; restore the recordings of the Archive, or delete the topic",
                    true);
            return Action.ABORT;
        }
        if (!isCheckpoint) {
            return onFragment(memory, begin, length, end);
        }
        if (writer == null || Checkpoint.writerId(memory, begin) != writer.id()) {
            try {
                writer = Checkpoint.decode(recording.topic(), memory, begin, length)
                        .writer();
            } catch (RuntimeException unreadable) {
                failure = unreadable; // thrown by the poll, as Aeron would swallow it
                return Action.ABORT;
            }
            writerMayChange();
        }
        return Action.CONTINUE;
    }

    @Override
    protected void poll(Image from) {
        if (!isLive) {
            from.boundedControlledPoll(this, standby.position(), ALL);
        } else if (!isOvertaken) {
            from.boundedControlledPoll(this, Math.min(live.recorded(), standby.position()), ALL);
        }
    }

    @Override
    protected Incarnation writerOf(long sequence) {
        return writer;
    }

    @Override
    protected long lastOfWriterOf(long sequence) {
        return Long.MAX_VALUE; // until the next checkpoint
    }

    @Override
    protected void free(long position) {
        if (position > heldFrom) {
            heldFrom = position;
            stored.moveTo(acknowledged, heldFrom);
            if (heldFrom - segment > recording.segmentLength()) {
                segment = recording.segmentOf(heldFrom);
                isSegmentRead = true;
            }
        }
    }

    @Override
    protected void onAcknowledged(long sequence) {
        acknowledged = sequence;
        stored.moveTo(acknowledged, heldFrom);
    }

    @Override
    public int poll(FrameHandler frames, int limit) {
        if (failure != null) {
            check();
            throw failure;
        }
        int polled = super.poll(frames, limit);
        if (polled == 0) {
            if (failure != null) {
                throw failure;
            }
            session.requireAlive();
        }
        return polled;
    }

    /** Returns the failure that ends this reader, which a damaged frame does not. */
    @Override
    public TransportException failure() {
        return failure instanceof TransportException ended && !(ended instanceof DamagedTopicException) ? ended : null;
    }

    /** Stores the position and continues the replay. A failure ends this reader alone. */
    int work(long nowNanos) {
        try {
            workOrFail(nowNanos);
        } catch (TransportException failed) {
            failure = failure == null ? failed : failure;
        }
        return 0;
    }

    private void workOrFail(long nowNanos) {
        stored.work(nowNanos);
        if (failure == null && !stored.isStored()) {
            failure = new TransportException("the Archive does not record the positions of consumer '" + consumerName
                    + "' of topic '" + recording.topic() + "' in recording " + stored.recordingId()
                    + " any more: a write or sync of its file has failed, the Archive has ended, or this process was stalled"
                    + " for too long; read the Archive's error log, then open it again");
        }
        if (failure == null && stored.stalled() != null) {
            failure = new TransportException("of the positions of consumer '" + consumerName + "' of topic '"
                    + recording.topic() + "' " + stored.stalled());
        }
        if (failure != null) {
            return;
        }
        follow(nowNanos);
        newest.work(nowNanos);
        if (isSegmentRead && frees && failure == null) {
            isSegmentRead = false;
            stored.storeNow();
            purge();
        }
    }

    /** Deletes segments. What keeps it from that, such as damaged positions of another consumer, is no failure of this reader. */
    private void purge() {
        try {
            RecordedPosition.purgeSegments(session, recording.topic());
        } catch (TransportException kept) {
            session.requireAlive();
            System.getLogger("dev.baton")
                    .log(
                            Level.WARNING,
                            "the segments that were read of topic '" + recording.topic()
                                    + "' are kept until a reader enters another segment",
                            kept);
        }
    }

    private void follow(long nowNanos) {
        if (isLive) {
            standby.work(nowNanos, live.recorded());
            if (isOvertaken || live.isOver()) {
                leaveLive(nowNanos);
            }
            return;
        }
        standby.workAtIntervals(nowNanos);
        if (replay != null && image() == null && replay.advance()) {
            readFrom(replay.image());
        }
        if (image() != null && !replay.isOver()) {
            stall.work(nowNanos);
            join(nowNanos);
        } else if (image() != null) {
            position = image().position();
            closeLive();
            endReplay(nowNanos);
        }
        if (replay == null
                && !isLive
                && nowNanos - askAtNanos >= 0
                && (asked == Aeron.NULL_VALUE || isLost(nowNanos))) {
            session.forget(asked);
            askedNanos = nowNanos;
            askedCalls = session.calls();
            asked = session.ask(
                    (proxy, correlation, control) -> proxy.getMaxRecordedPosition(recording.id(), correlation, control),
                    this);
        }
    }

    private void endReplay(long nowNanos) {
        readFrom(null);
        replay.close();
        ended = replay;
        replay = null;
        pauseNanos = FIRST_PAUSE_NANOS;
        askAtNanos = nowNanos;
    }

    /**
     * Changes from the replay to the live log, in steps, once the replay has caught up with it. A refusal leaves the reader with
     * its replay.
     */
    private void join(long nowNanos) {
        try {
            joinOrFail(nowNanos);
        } catch (TransportException refused) {
            session.requireAlive();
            pauseJoining(nowNanos);
            closeLive();
        }
    }

    private void joinOrFail(long nowNanos) {
        if (live == null) {
            if (joinsLive && nowNanos - joinAtNanos >= 0) {
                live = LiveImage.join(session, recording, image().position());
                if (live == null) {
                    pauseJoining(nowNanos);
                }
                joinedNanos = nowNanos;
            }
        } else if (live.advance(image().position())) {
            position = image().position();
            endReplay(nowNanos);
            readFrom(live.image());
            isLive = true;
        } else if (live.isOver() || nowNanos - joinedNanos > ANSWER_NANOS) {
            pauseJoining(nowNanos);
            closeLive();
        }
    }

    /** Begins a replay where the reader stands in the live log, whatever the position of an image that may be gone. */
    private void leaveLive(long nowNanos) {
        begunAt = -1;
        readFrom(null);
        pauseJoining(nowNanos);
        closeLive();
        isOvertaken = false;
        pauseNanos = FIRST_PAUSE_NANOS;
        askAtNanos = nowNanos;
    }

    private void pauseJoining(long nowNanos) {
        boolean wasStable = live != null && nowNanos - joinedNanos >= LONGEST_JOIN_NANOS;
        joinPauseNanos = wasStable ? FIRST_JOIN_NANOS : Math.min(LONGEST_JOIN_NANOS, 2 * joinPauseNanos);
        joinAtNanos = nowNanos + joinPauseNanos;
    }

    private void closeLive() {
        isLive = false;
        if (live != null) {
            live.close();
            live = null;
        }
    }

    private boolean isLost(long nowNanos) {
        return session.calls() != askedCalls || nowNanos - askedNanos > ANSWER_NANOS;
    }

    /** Begins a replay if the topic has more frames, and otherwise schedules the next request. */
    @Override
    public void onAnswer(long recorded, String error) {
        asked = Aeron.NULL_VALUE;
        long end = Math.min(recorded, standby.position());
        if (error != null) {
            failure = new TransportException("topic '" + recording.topic() + "' cannot be read: " + error);
        } else if (end > position && position == begunAt && ended.isFutile(attempts)) {
            failure = ended.unreadable(end);
        } else if (end > position) {
            attempts = position == begunAt ? attempts + 1 : 1;
            begunAt = position;
            replay = RecordingReplay.begin(session, recording, position, Long.MAX_VALUE);
        } else {
            askAtNanos = System.nanoTime() + pauseNanos;
            pauseNanos = Math.min(LONGEST_PAUSE_NANOS, 2 * pauseNanos);
        }
    }

    /**
     * Detects that the Archive sends nothing of what it has recorded, as it does for a frame with a damaged length, within twice
     * the timeout.
     */
    private final class Stall implements ArchiveSession.Answer {
        private final long timeoutNanos = session.timeoutNanos();
        private long at = -1; // position of the image
        private long sinceNanos;
        private long missed; // end that the recording had a timeout ago

        void work(long nowNanos) {
            if (image().position() != at) {
                at = image().position();
                sinceNanos = nowNanos;
                missed = 0;
            } else if (nowNanos - sinceNanos >= timeoutNanos) {
                sinceNanos = nowNanos;
                if (missed > at && isNothingToPoll()) {
                    failure = replay.unreadable(missed);
                } else {
                    session.ask(
                            (proxy, correlation, control) ->
                                    proxy.getMaxRecordedPosition(recording.id(), correlation, control),
                            this);
                }
            }
        }

        @Override
        public void onAnswer(long end, String error) {
            missed = error == null ? end : 0;
        }

        private boolean isNothingToPoll() {
            boolean[] isFound = {false};
            long next = image().controlledPeek(
                            at,
                            (buffer, offset, length, header) -> {
                                isFound[0] = true;
                                return Action.ABORT;
                            },
                            at + 1);
            return next == at && !isFound[0];
        }
    }

    @Override
    public TopicStart found() {
        return found;
    }

    @Override
    public long backlog() {
        check();
        return newest.atLeast(read()) - read();
    }

    @Override
    public void close() {
        end(false);
    }

    @Override
    public void abandon() {
        end(true);
    }

    private void end(boolean forgets) {
        if (release()) {
            try {
                if (replay != null) {
                    replay.close();
                }
                closeLive();
                session.forget(asked);
                newest.close();
                if (forgets) {
                    stored.abandon();
                } else {
                    stored.close();
                }
            } finally {
                readFrom(null);
                onClose.accept(this);
            }
        }
    }
}
