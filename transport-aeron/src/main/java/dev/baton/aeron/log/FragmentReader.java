package dev.baton.aeron.log;

import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.support.ThreadConfinement;
import io.aeron.Image;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;

/**
 * A reader that hands over the frames of an image in place. A position is a frame's sequence. Confined to the thread that opened
 * it.
 */
public abstract class FragmentReader extends ThreadConfinement implements TopicReader, ControlledFragmentHandler {
    /** The fragments of a poll, which {@link Action#ABORT} ends. */
    protected static final int ALL = Integer.MAX_VALUE;

    private static final long NONE = PendingFragments.NONE;

    private final String topicName;
    private final PendingFragments passed = new PendingFragments();
    private final Frame frame = new Frame();

    private Image image; // null: there is nothing to read yet
    private long read; // sequence of the newest frame consumed
    private long handed; // of the newest one handed over
    private long acknowledged;
    private int resumeAt; // offset of the next frame in the current fragment
    private long resumeSequence; // of that frame
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

    /**
     * Returns the sequence of the first frame of an image, which moves over the padding before it.
     *
     * @param otherwise result when there is no frame
     * @param end log position behind which nothing counts
     */
    public static long firstSequence(Image image, long otherwise, long end) {
        long[] first = {otherwise};
        boolean[] isFound = {false};
        long from;
        do { // a poll of Aeron's ends with the term, also when that ends with padding
            from = image.position();
            image.controlledPoll(
                    (buffer, offset, length, header) -> {
                        isFound[0] = true;
                        if (header.position() <= end) {
                            first[0] =
                                    FragmentLayout.firstSequence(buffer.byteBuffer(), buffer.wrapAdjustment() + offset);
                        }
                        return Action.ABORT;
                    },
                    1);
        } while (!isFound[0] && image.position() != from);
        return first[0];
    }

    /** Begins behind a frame. The constructor of a subclass calls it. */
    protected final void beginBehind(long sequence) {
        acknowledged = sequence;
        read = sequence;
        handed = sequence;
    }

    /** Sets the image to read from; null while there is nothing to read. */
    protected final void readFrom(Image next) {
        image = next;
    }

    /** Sets an image to read from that begins with a fragment, also if the rest of another one has not been read. */
    protected final void readFromBegin(Image next) {
        image = next;
        resumeAt = 0;
        refusedEnd = NONE;
    }

    /** {@return the image to read from; null while there is nothing to read} */
    protected final Image image() {
        return image;
    }

    /** Frees the log up to a position, before which the consumer needs nothing. */
    protected abstract void free(long position);

    /** Notes that the consumer has acknowledged a position. */
    protected abstract void onAcknowledged(long position);

    /** Returns the writer of a frame, which is the first one behind those of the known writer. */
    protected abstract Incarnation writerOf(long sequence);

    /** Returns the sequence of the last frame that is known to have the same writer as this one. */
    protected abstract long lastOfWriterOf(long sequence);

    @Override
    public int poll(FrameHandler frames, int limit) {
        check();
        if (limit < 1) {
            throw new IllegalArgumentException("poll with a limit of " + limit + "; at least 1 is allowed");
        }
        if (image == null) {
            return 0;
        }
        if (handler != frames) { // no store, and no barrier of the collector, for the same handler
            handler = frames;
        }
        left = limit;
        isStopped = false;
        long from;
        do { // a poll of Aeron's ends with the term
            from = image.position();
            termBegin = from & -image.termBufferLength();
            poll(image);
        } while (left > 0
                && !isStopped
                && image.position() != from
                && (image.position() & image.termBufferLength() - 1) == 0);
        if (thrown != null) {
            rethrow();
        }
        return limit - left;
    }

    /** Hands the fragments of an image to this reader, up to the end of a term at most. */
    protected void poll(Image from) {
        from.controlledPoll(this, ALL);
    }

    /** Hands over the frames of a fragment, or those that an earlier poll has left of it. */
    @Override
    public Action onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        return onFragment(buffer.byteBuffer(), buffer.wrapAdjustment() + offset, length, behind(offset + length));
    }

    /**
     * Hands over the frames of a fragment in any memory, or those that an earlier poll has left of it.
     *
     * @param begin index of the fragment in the memory
     * @param end log position behind the fragment
     */
    protected final Action onFragment(ByteBuffer memory, int begin, int length, long end) {
        int at = resumeAt;
        long sequence = at == 0 ? FragmentLayout.firstSequence(memory, begin) : resumeSequence;
        while (at < length && left > 0) {
            int next;
            try {
                next = FragmentLayout.next(topicName, memory, begin, at, length, sequence);
            } catch (DamagedTopicException damaged) {
                thrown = damaged; // rethrown after the poll, as Aeron would swallow it
                isStopped = true;
                return Action.ABORT;
            }
            frame.wrap(memory, begin + at + FragmentLayout.FRAME_OFFSET, memory.getInt(begin + at));
            if (!isTaken(sequence)) {
                refusedEnd = next == length ? end : NONE;
                isStopped = true;
                break;
            }
            at = next;
            sequence++;
        }
        if (at < length) {
            resumeAt = at;
            resumeSequence = sequence;
            return Action.ABORT;
        }
        resumeAt = 0;
        refusedEnd = NONE;
        if (read > acknowledged) {
            passed.add(read, end);
        } else {
            free(end);
        }
        return left > 0 ? Action.CONTINUE : Action.BREAK;
    }

    /**
     * Returns the log position behind a fragment that ends at an offset of its term, without the read of the log that {@link
     * Header#position} takes.
     */
    protected final long behind(int end) {
        return termBegin + BitUtil.align(end, FrameDescriptor.FRAME_ALIGNMENT);
    }

    private boolean isTaken(long sequence) {
        if (sequence <= read) { // as is whatever was acknowledged
            return true;
        }
        try {
            if (sequence > lastOfWriter) {
                changeWriter(sequence);
            }
            handed = sequence;
            if (handler.onFrame(frame, sequence) == Verdict.RETRY) {
                return false;
            }
        } catch (RuntimeException | Error failure) {
            thrown = failure; // rethrown after the poll, as Aeron would swallow it
            return false;
        }
        read = sequence;
        left--;
        return true;
    }

    private void changeWriter(long sequence) {
        lastOfWriter = lastOfWriterOf(sequence);
        Incarnation next = writerOf(sequence);
        if (!Objects.equals(next, writer)) { // the same one may have been read again, with those that followed it
            writer = next;
            handler.onWriter(next);
        }
    }

    /** Looks up the writer again with the next frame, which may have another one. */
    protected final void writerMayChange() {
        lastOfWriter = 0;
    }

    /** {@return whether the next frame is in the middle of a fragment} */
    protected final boolean isWithinFragment() {
        return resumeAt > 0;
    }

    /** Returns the sequence of the newest frame consumed. */
    protected final long read() {
        return read;
    }

    private void rethrow() {
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
                    + "'; at most " + handed + ", the newest frame handed over, is allowed");
        }
        acknowledged = position;
        onAcknowledged(position);
        read = Math.max(read, position);
        long end = passed.removeTo(position);
        if (position == handed && refusedEnd != NONE) { // the last frame of the current fragment was refused
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
