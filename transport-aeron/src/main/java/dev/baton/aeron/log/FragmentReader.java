package dev.baton.aeron.log;

import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Incarnation;
import dev.baton.spi.ThreadConfinement;
import dev.baton.spi.TopicReader;
import io.aeron.Image;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;
import java.nio.ByteBuffer;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;

/**
 * Hands over the frames of an image in place. A position is a frame's sequence. Confined to the thread that opened it.
 */
public abstract class FragmentReader extends ThreadConfinement implements TopicReader, ControlledFragmentHandler {
    private static final int ALL = Integer.MAX_VALUE;
    private static final long NONE = PendingFragments.NONE;

    private final String topicName;
    private final PendingFragments passed = new PendingFragments();
    private final Frame frame = new Frame();

    private Image image; // null: there is nothing to read yet
    private long read; // sequence of the newest frame consumed
    private long handed; // of the newest one handed over
    private long acknowledged;
    private int resumeAt; // offset of the next frame in the fragment in hand
    private long refusedEnd = NONE; // log position behind that fragment, if its last frame was refused
    private Incarnation writer; // of the frame handed over last
    private long lastOfWriter; // sequence of the last frame that is known to be its

    private FrameHandler handler; // of the newest poll
    private boolean isStopped; // its handler refused a frame, or threw
    private long termBegin; // log position; an image's poll stays within a term
    private int left; // frames that it may still take
    private Throwable thrown; // by its handler

    protected FragmentReader(String topicName) {
        super("this reader of topic '" + topicName + "'");
        this.topicName = topicName;
    }

    /** Begins behind a frame. Called by the constructor of the reader. */
    protected final void beginBehind(long sequence) {
        acknowledged = sequence;
        read = sequence;
        handed = sequence;
    }

    /** Reads from an image from now on; null: there is nothing to read. */
    protected final void readFrom(Image next) {
        image = next;
    }

    /** {@return where the fragments come from; null: there is nothing to read} */
    protected final Image image() {
        return image;
    }

    /** What lies before this log position is not needed any more by this consumer. */
    protected abstract void free(long position);

    /** A position is acknowledged. */
    protected abstract void onAcknowledged(long position);

    /** Who wrote a frame, which is the first one behind those of the writer known. */
    protected abstract Incarnation writerOf(long sequence);

    /** Sequence of the last frame that is known to be written by the writer of this one. */
    protected abstract long lastOfWriterOf(long sequence);

    @Override
    public int poll(FrameHandler frames, int limit) {
        check();
        if (limit < 1) {
            throw new IllegalArgumentException("a poll hands over at least 1 frame, not " + limit);
        }
        if (handler != frames) { // mostly the same: no store, and so no collector's barrier
            handler = frames;
        }
        left = limit;
        isStopped = false;
        long from;
        do { // a poll of Aeron's ends with the term
            from = image.position();
            termBegin = from & -image.termBufferLength();
            image.controlledPoll(this, ALL);
        } while (left > 0
                && !isStopped
                && image.position() != from
                && (image.position() & image.termBufferLength() - 1) == 0);
        if (thrown != null) {
            throwOn();
        }
        return limit - left;
    }

    /** Takes a fragment, or what is left of it: the frames of a batch. */
    @Override
    public Action onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        ByteBuffer memory = buffer.byteBuffer();
        int begin = buffer.wrapAdjustment() + offset;
        int at = resumeAt;
        while (at < length && left > 0) {
            int payload = memory.getInt(begin + at);
            frame.wrap(memory, begin + at + FragmentLayout.FRAME_OFFSET, payload);
            int next = at + FragmentLayout.stagedBytes(payload);
            if (!isTaken(frame.sequence())) {
                refusedEnd = next == length ? behind(offset + length) : NONE;
                isStopped = true;
                break;
            }
            at = next;
        }
        if (at < length) {
            resumeAt = at;
            return Action.ABORT;
        }
        resumeAt = 0;
        refusedEnd = NONE;
        if (read > acknowledged) {
            passed.add(read, behind(offset + length));
        } else {
            free(behind(offset + length));
        }
        return left > 0 ? Action.CONTINUE : Action.BREAK;
    }

    /** Log position behind a fragment that ends at an offset of its term; {@link Header#position} reads the log for it. */
    private long behind(int end) {
        return termBegin + BitUtil.align(end, FrameDescriptor.FRAME_ALIGNMENT);
    }

    private boolean isTaken(long sequence) {
        if (sequence <= acknowledged) {
            read = Math.max(read, sequence);
            return true;
        }
        try {
            if (sequence > lastOfWriter) {
                meetWriter(sequence);
            }
            handed = sequence;
            if (handler.onFrame(frame, sequence) == Verdict.RETRY) {
                return false;
            }
        } catch (RuntimeException | Error failure) {
            thrown = failure; // Aeron would keep it
            return false;
        }
        read = sequence;
        left--;
        return true;
    }

    private void meetWriter(long sequence) {
        lastOfWriter = lastOfWriterOf(sequence);
        Incarnation met = writerOf(sequence);
        if (met != writer) {
            writer = met;
            handler.onWriter(met);
        }
    }

    /** The frames from here on may be another writer's. */
    protected final void writerMayChange() {
        lastOfWriter = 0;
    }

    /** Sequence of the newest frame consumed. */
    protected final long read() {
        return read;
    }

    private void throwOn() {
        Throwable failure = thrown;
        thrown = null;
        left = 0;
        if (failure instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) failure;
    }

    @Override
    public void acknowledge(long position) {
        check();
        if (position <= acknowledged) {
            return;
        }
        if (position > handed) {
            throw new IllegalArgumentException("acknowledge of position " + position + " of topic '" + topicName
                    + "', the newest frame handed over is at " + handed);
        }
        acknowledged = position;
        onAcknowledged(position);
        read = Math.max(read, position);
        long end = passed.removeTo(position);
        if (position == handed && refusedEnd != NONE) { // the last frame of the fragment in hand was refused
            end = refusedEnd;
        }
        if (end != NONE) {
            free(end);
        }
    }

    @Override
    public Incarnation writer() {
        return writer;
    }
}
