package dev.baton.aeron.archive;

import dev.baton.aeron.ArchiveOptions;
import dev.baton.aeron.log.FragmentChecksum;
import dev.baton.aeron.log.FragmentLayout;
import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Catalog;
import dev.baton.aeron.recording.RecordingDescriptor;
import dev.baton.aeron.recording.RecordingReplay;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.SequenceRanges;
import dev.baton.spi.support.ThreadConfinement;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.Header;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.DirectBuffer;

/**
 * The inspector of a topic, by replays up to the end that the recording has at a call. It has a client of its own, and connects
 * again when the media driver has timed it out between two calls. Confined to the thread that opened it, but for {@link #close}.
 */
final class ArchiveInspector extends ThreadConfinement implements TopicInspector, ControlledFragmentHandler {
    private static final int ALL = Integer.MAX_VALUE;

    private final ArchiveOptions options;
    private final String topic;
    private final RecordedPosition.Stored endAtOpen; // null for none
    private final FragmentChecksum checksum = new FragmentChecksum();
    private final Frame frame = new Frame();

    private ArchiveSession session;
    private RecordingDescriptor recording;
    private RecordingReplay replay; // null between two
    private long begunAt = -1; // position of the newest one
    private int attempts; // replays from there, one after the other
    private long position; // in the log, of the next fragment
    private long resumeSequence; // of the frame there
    private int resumeAt; // offset of the next frame in it
    private long end; // of the replay
    private Incarnation writer; // of the frames to come
    private Incarnation notified; // the one that the handler was notified of
    private InputRef input = InputRef.UNKNOWN; // of the frames to come
    private SequenceRanges<InputRef> inputs = SequenceRanges.none();

    private FrameHandler handler;
    private int left;
    private boolean isStopped;
    private Throwable thrown; // by the handler

    private ArchiveInspector(
            ArchiveOptions options,
            ArchiveSession session,
            RecordingDescriptor recording,
            RecordedPosition.Stored endAtOpen) {
        super("this inspector of topic '" + recording.topic() + "'");
        this.options = options;
        this.topic = recording.topic();
        this.session = session;
        this.recording = recording;
        this.endAtOpen = endAtOpen;
        position = recording.start();
    }

    static ArchiveInspector open(ArchiveOptions options, String topic) {
        ArchiveSession session = ArchiveSession.connectAlone(options);
        try {
            RecordingDescriptor recording = Catalog.topic(session, topic);
            return new ArchiveInspector(options, session, recording, RecordedEnd.newest(session, topic));
        } catch (RuntimeException failed) {
            session.close();
            throw failed;
        }
    }

    private ArchiveSession session() {
        check();
        if (session.isAlive()) {
            try {
                session.work(System.nanoTime());
                return session;
            } catch (TransportException gone) {
                // connects again, below
            }
        }
        session.close();
        replay = null;
        session = ArchiveSession.connectAlone(options);
        return session;
    }

    @Override
    public int read(FrameHandler frames, int limit) {
        check();
        if (limit < 1) {
            throw new IllegalArgumentException("read with a limit of " + limit + "; at least 1 is allowed");
        }
        ArchiveSession now = session();
        handler = frames;
        left = limit;
        isStopped = false;
        try {
            while (left > 0 && !isStopped && isMore(now)) {
                now.await("a replay of topic '" + topic + "'", replay::advance);
                boolean isPolled =
                        now.awaitFor(options.get(ArchiveOptions.TIMEOUT).toNanos(), () -> {
                            long before = replay.image().position();
                            replay.image().controlledPoll(this, ALL);
                            position = replay.image().position();
                            return position > before || isStopped || left == 0 || replay.isOver();
                        });
                if (!isPolled) {
                    throw replay.unreadable(end);
                }
            }
        } finally {
            handler = null;
        }
        rethrow();
        return limit - left;
    }

    /** Returns whether the recording has more behind the last position; then there is a replay of it. */
    private boolean isMore(ArchiveSession now) {
        if (replay != null && position < end && !replay.isOver()) {
            return true;
        }
        if (replay != null) {
            replay.close();
            if (position == begunAt && position < end && replay.isFutile(attempts)) {
                throw replay.unreadable(end);
            }
            replay = null;
        }
        recording = Catalog.topic(now, topic);
        if (position < recording.start()) { // segments read by all consumers are deleted
            position = recording.start();
            resumeAt = 0;
        }
        end = Catalog.end(now, recording);
        if (position >= end) {
            long newest = Math.max(0, resumeSequence - 1);
            if (endAtOpen != null && newest < endAtOpen.sequence()) {
                throw RecordedEnd.loss(recording, newest, endAtOpen);
            }
            return false;
        }
        attempts = position == begunAt ? attempts + 1 : 1;
        begunAt = position;
        replay = RecordingReplay.begin(now, recording, position, end - position);
        return true;
    }

    @Override
    public Action onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        ByteBuffer memory = buffer.byteBuffer();
        int begin = buffer.wrapAdjustment() + offset;
        try {
            if (Checkpoint.isAt(memory, begin)) {
                Checkpoint checkpoint = Checkpoint.decode(topic, memory, begin, length);
                writer = writer != null && writer.id() == checkpoint.writer().id() ? writer : checkpoint.writer();
                input = checkpoint.input();
                resumeSequence = Math.max(resumeSequence, checkpoint.sequence() + 1);
                return Action.CONTINUE;
            }
            int at = resumeAt;
            if (at == 0) {
                checksum.require(topic, recording.id(), memory, begin, length, header.position());
            }
            long due = at == 0 ? FragmentLayout.firstSequence(memory, begin) : resumeSequence;
            while (at < length && left > 0) {
                int next = FragmentLayout.next(topic, memory, begin, at, length, due);
                frame.wrap(memory, begin + at + FragmentLayout.FRAME_OFFSET, memory.getInt(begin + at));
                if (!isTaken()) {
                    isStopped = true;
                    break;
                }
                at = next;
                due++;
            }
            resumeAt = at < length ? at : 0;
            resumeSequence = due;
            return at < length ? Action.ABORT : left > 0 ? Action.COMMIT : Action.BREAK;
        } catch (RuntimeException | Error failed) {
            thrown = failed; // rethrown after the poll, as Aeron would swallow it
        }
        isStopped = true;
        return Action.ABORT;
    }

    private boolean isTaken() {
        long sequence = frame.sequence();
        if (!input.equals(inputs.at(sequence))) {
            inputs = inputs.with(sequence, input);
        }
        try {
            if (writer != notified) {
                notified = writer;
                handler.onWriter(writer);
            }
            if (handler.onFrame(frame, sequence) == Verdict.RETRY) {
                return false;
            }
        } catch (RuntimeException | Error failed) {
            thrown = failed; // rethrown after the poll; the frames before it are not handed over again
            return false;
        }
        left--;
        return true;
    }

    private void rethrow() {
        Throwable failed = thrown;
        thrown = null;
        if (failed instanceof Error error) {
            throw error;
        }
        if (failed != null) {
            throw (RuntimeException) failed;
        }
    }

    @Override
    public long newestSequence() {
        ArchiveSession now = session();
        RecordingDescriptor topicNow = Catalog.topic(now, topic);
        return LogEnd.of(now, topicNow, Catalog.end(now, topicNow)).sequence();
    }

    @Override
    public Map<String, Long> acknowledged() {
        ArchiveSession now = session();
        long identity = Catalog.topic(now, topic).identity();
        Map<String, Long> sequences = new TreeMap<>();
        Catalog.consumers(now, topic).forEach((consumer, positions) -> {
            RecordedPosition.Stored stored = RecordedPosition.newest(now, positions, Catalog.end(now, positions));
            if (stored != null && stored.identity() == identity) {
                sequences.put(consumer, stored.sequence());
            }
        });
        return sequences;
    }

    @Override
    public InputRef inputOf(long sequence) {
        check();
        InputRef found = inputs.at(sequence);
        return found == null ? InputRef.UNKNOWN : found;
    }

    @Override
    public void close() {
        if (release()) {
            if (replay != null) {
                replay.close();
            }
            session.close();
        }
    }
}
