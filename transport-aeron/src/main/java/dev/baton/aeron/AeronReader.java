package dev.baton.aeron;

import dev.baton.spi.Eras;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Incarnation;
import dev.baton.spi.ThreadConfinement;
import dev.baton.spi.TopicReader;
import io.aeron.Image;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.Header;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/**
 * Hands over the frames of a stream in place. A position is a frame's sequence. Confined to the thread that opened it.
 */
final class AeronReader extends ThreadConfinement implements TopicReader, ControlledFragmentHandler {
    private static final int ALL = Integer.MAX_VALUE;
    private static final long NONE = PassedFragments.NONE;

    private final AeronTopic topic;
    private final AeronConsumer consumer;
    private final Consumer<AeronReader> onClose;
    private final Image image;
    private final int termMask;
    private final PassedFragments passed = new PassedFragments();
    private final Frame frame = new Frame();
    private final long sequenceAtOpen;
    private final long newestAtOpen;

    private long read; // sequence of the newest frame consumed
    private long handed; // of the newest one handed over
    private long acknowledged;
    private int resumeAt; // offset of the next frame in the fragment in hand
    private long refusedEnd = NONE; // log position behind that fragment, if its last frame was refused
    private Incarnation writer; // of the frame handed over last
    private long lastOfWriter; // sequence of the last frame that is known to be its

    private FrameHandler handler; // of the poll in progress
    private boolean isStopped; // its handler refused a frame, or threw
    private int left; // frames that it may still take
    private Throwable thrown; // by its handler

    AeronReader(AeronTopic topic, AeronConsumer consumer, Image image, Consumer<AeronReader> onClose) {
        super("this reader of topic '" + topic.name + "'");
        this.topic = topic;
        this.consumer = consumer;
        this.image = image;
        this.onClose = onClose;
        termMask = image.termBufferLength() - 1;
        topic.goTo(image, consumer.heldFrom.get());
        newestAtOpen = topic.published();
        acknowledged = consumer.acknowledged == AeronConsumer.UNSEEN ? firstSequence() - 1 : consumer.acknowledged;
        consumer.acknowledged = acknowledged;
        read = acknowledged;
        handed = acknowledged;
        sequenceAtOpen = acknowledged;
    }

    /** Sequence of the first frame to come. */
    private long firstSequence() {
        long[] first = {topic.published() + 1}; // before the look: what comes then is found
        image.controlledPoll(
                (buffer, offset, length, header) -> {
                    frame.wrap(buffer.byteBuffer(), buffer.wrapAdjustment() + offset + Staging.FRAME_OFFSET, 0);
                    first[0] = frame.sequence();
                    return Action.ABORT;
                },
                1);
        return first[0];
    }

    @Override
    public int poll(FrameHandler frames, int limit) {
        check();
        if (limit < 1) {
            throw new IllegalArgumentException("a poll hands over at least 1 frame, not " + limit);
        }
        handler = frames;
        left = limit;
        isStopped = false;
        try {
            long from;
            do { // a poll of Aeron's ends with the term
                from = image.position();
                image.controlledPoll(this, ALL);
            } while (left > 0 && !isStopped && image.position() != from && (image.position() & termMask) == 0);
        } finally {
            handler = null;
        }
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
            frame.wrap(memory, begin + at + Staging.FRAME_OFFSET, payload);
            int next = at + AeronOptions.stagedBytes(payload);
            if (!isTaken(frame.sequence())) {
                refusedEnd = next == length ? header.position() : NONE;
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
            passed.add(read, header.position());
        } else {
            consumer.heldFrom.setRelease(header.position());
        }
        return left > 0 ? Action.CONTINUE : Action.BREAK;
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
        long published = Math.max(sequence, topic.published()); // the next one may be another's
        Eras<Incarnation> writers = topic.writers();
        lastOfWriter = Math.min(published, writers.lastOf(sequence));
        Incarnation met = writers.at(sequence);
        if (met != writer) {
            writer = met;
            handler.onWriter(met);
        }
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
            throw new IllegalArgumentException("acknowledge of position " + position + " of topic '" + topic.name
                    + "', the newest frame handed over is at " + handed);
        }
        acknowledged = position;
        consumer.acknowledged = position;
        read = Math.max(read, position);
        long end = passed.removeTo(position);
        if (position == handed && refusedEnd != NONE) { // the last frame of the fragment in hand was refused
            end = refusedEnd;
        }
        if (end != NONE) {
            consumer.heldFrom.setRelease(end);
        }
    }

    @Override
    public long identity() {
        return topic.identity;
    }

    @Override
    public Incarnation writer() {
        return writer;
    }

    @Override
    public long newestAtOpen() {
        return newestAtOpen;
    }

    @Override
    public long sequenceAtOpen() {
        return sequenceAtOpen;
    }

    @Override
    public long backlog() {
        check();
        return topic.published() - read;
    }

    @Override
    public void close() {
        if (release()) {
            topic.closeConsumer(consumer);
            onClose.accept(this);
        }
    }
}
