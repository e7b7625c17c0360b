package dev.baton.disruptor;

import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Incarnation;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicReader.TopicStart;
import dev.baton.spi.support.SequenceRanges;
import dev.baton.spi.support.ThreadConfinement;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Polls the frames of a ring in place. Positions are ring sequences, which begin at 0; the sequences of frames begin at 1.
 * Confined to the thread that opened it.
 */
final class RingReader extends ThreadConfinement implements TopicReader {
    private static final long NOTHING = -1;

    private final SlottedRing ring;
    private final SlottedRing.RingConsumer consumer;
    private final Consumer<RingReader> onClose;
    private final Frame frame = new Frame();
    private final TopicStart found;

    private ByteBuffer memory; // null until there is something to read
    private long read; // position of the newest frame consumed
    private long handed; // position of the newest frame handed over
    private long acknowledged; // position
    private SequenceRanges<Incarnation> writers = SequenceRanges.none();
    private Incarnation writer; // of the frame handed over last
    private long lastOfWriter = NOTHING; // position of the last frame that is known to be its

    /** Opens a consumer at a position. */
    RingReader(SlottedRing ring, String name, StartPosition from, Consumer<RingReader> onClose) {
        super("this reader of topic '" + ring.topic + "'");
        this.ring = ring;
        this.onClose = onClose;
        consumer = ring.openConsumer(name, from);
        acknowledged = consumer.acknowledged.get();
        read = acknowledged;
        handed = acknowledged;
        found = new TopicStart(
                SlottedRing.sequenceAt(acknowledged), SlottedRing.sequenceAt(ring.published()), ring.identity);
    }

    @Override
    public int poll(FrameHandler handler, int limit) {
        check();
        if (limit < 1) {
            throw new IllegalArgumentException("limit is " + limit + ", it must be at least 1");
        }
        long from = read;
        long last = Math.min(ring.published(), from + limit);
        if (last == from) {
            return 0;
        }
        if (writers != ring.writers()) {
            readWriters();
        }
        if (from >= lastOfWriter) {
            long sequence = SlottedRing.sequenceAt(from + 1); // of the next frame
            lastOfWriter = SlottedRing.positionOf(writers.lastOf(sequence));
            notifyOfWriter(writers.at(sequence), handler);
        }
        last = Math.min(last, lastOfWriter); // frames of another writer are for the next poll
        while (read < last) {
            long next = read + 1;
            int slot = ring.slotOf(next);
            frame.wrap(memory, slot + SlottedRing.FRAME_OFFSET, memory.getInt(slot));
            handed = next;
            if (handler.onFrame(frame, next) == Verdict.RETRY) {
                break;
            }
            read = next; // not reached when the handler throws
        }
        return (int) (read - from);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Frees the slots at once: this consumes a frame that the handler refused, too, and its slot is the writer's.
     */
    @Override
    public void acknowledge(long position) {
        check();
        if (position <= acknowledged) {
            return;
        }
        if (position > handed) {
            throw new IllegalArgumentException("acknowledge of position " + position + " of topic '" + ring.topic
                    + "', the newest frame handed over is at " + handed);
        }
        acknowledged = position;
        read = Math.max(read, position);
        consumer.acknowledged.set(position);
    }

    /** Reads the writers anew, when there is a frame to read and perhaps another writer than before. */
    private void readWriters() {
        memory = ring.memory();
        writers = ring.writers();
        lastOfWriter = NOTHING;
    }

    private void notifyOfWriter(Incarnation met, FrameHandler handler) {
        if (met != writer) {
            writer = met;
            handler.onWriter(met);
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

    @Override
    public long backlog() {
        check();
        return ring.published() - read;
    }

    @Override
    public void close() {
        if (release()) {
            ring.closeConsumer(consumer);
            onClose.accept(this);
        }
    }
}
