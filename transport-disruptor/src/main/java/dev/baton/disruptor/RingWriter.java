package dev.baton.disruptor;

import dev.baton.spi.ConsumerLag;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.support.ThreadConfinement;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Writes frames into the slots of a ring and publishes them in batches.
 *
 * <p>Nothing is taken from the sequencer before the flush: claimed and committed frames lie beyond the cursor, where no
 * reader reads, so abort and rewind only move numbers. Confined to the thread that opened it.
 */
final class RingWriter extends ThreadConfinement implements TopicWriter {
    private static final int NONE = -1;

    private final SlottedRing ring;
    private final Consumer<RingWriter> onClose;
    private final ByteBuffer memory;
    private final int slots;
    private final int maxPayload;
    private final TopicEnd found;
    private final Incarnation incarnation;
    private final Frame frame = new Frame();

    // Ring sequences: a frame's own sequence is one more.
    private long published;
    private long committed;
    private long last; // the newest that may be committed
    private long committedAtLastCall;

    private int claimed = NONE; // bytes of the open claim
    private int slot; // where the open claim's slot begins

    RingWriter(SlottedRing ring, String topology, Consumer<RingWriter> onClose) {
        super("this writer of topic '" + ring.topic + "'");
        incarnation = ring.openWriter(topology);
        this.ring = ring;
        this.onClose = onClose;
        memory = ring.memory();
        slots = ring.slots;
        maxPayload = ring.maxPayload;
        published = ring.published();
        committed = published;
        committedAtLastCall = published;
        last = ring.raiseFloor() + slots;
        Frame newest = published < 0 ? null : frameAt(published, memory.getInt(ring.slotOf(published)));
        found = TopicEnd.at(newest, false, ring.writers().at(sequence()), ring.inputOf(sequence()));
    }

    /**
     * {@inheritDoc}
     *
     * <p>Reads the positions of consumers only when less than half of the ring seems free, or when called again without
     * a commit in between; otherwise the result is a lower bound.
     */
    @Override
    public int remainingCapacity() {
        check();
        if (last - committed < slots >> 1 || committed == committedAtLastCall) {
            last = ring.raiseFloor() + slots;
        }
        committedAtLastCall = committed;
        return (int) (last - committed);
    }

    @Override
    public int capacity() {
        return slots;
    }

    @Override
    public ConsumerLag slowestConsumer() {
        check();
        return ring.slowestConsumer();
    }

    @Override
    public Frame claim(int maxLength) {
        check();
        if (maxLength < 0 || maxLength > maxPayload) {
            throw new IllegalArgumentException("claim of " + maxLength + " bytes; 0 to " + maxPayload
                    + " are allowed on topic '" + ring.topic + "'; the option max-payload governs it");
        }
        checkNoClaim();
        if (committed == last && !hasRoom()) {
            return null;
        }
        claimed = maxLength;
        return frameAt(committed + 1, maxLength);
    }

    @Override
    public long commit(int length) {
        check();
        if (length < 0 || length > claimed) {
            throw refusedCommit(length);
        }
        long sequence = ++committed + 1;
        memory.putInt(slot, length);
        frame.sequence(sequence);
        claimed = NONE;
        return sequence;
    }

    @Override
    public void abort() {
        check();
        claimed = NONE;
    }

    @Override
    public void flush() {
        check();
        checkNoClaim();
        publish();
    }

    @Override
    public void rewind(long sequence) {
        check();
        if (sequence < storedSequence() || sequence > sequence()) {
            throw new IllegalArgumentException("rewind to sequence " + sequence + "; " + storedSequence()
                    + ", the newest flushed, to " + sequence() + ", the newest committed, are allowed");
        }
        checkNoClaim();
        committed = sequence - 1;
    }

    @Override
    public long sequence() {
        return committed + 1;
    }

    @Override
    public long storedSequence() {
        return published + 1;
    }

    @Override
    public TopicEnd found() {
        return found;
    }

    @Override
    public void answers(InputRef input) {
        check();
        ring.answers(sequence() + 1, input);
    }

    @Override
    public Incarnation incarnation() {
        return incarnation;
    }

    @Override
    public void close() {
        if (release()) {
            claimed = NONE;
            publish();
            ring.closeWriter();
            onClose.accept(this);
        }
    }

    private void checkNoClaim() {
        if (claimed != NONE) {
            throw new IllegalStateException("commit or abort the open claim first");
        }
    }

    private void publish() {
        if (committed != published) {
            ring.publish(committed);
            published = committed;
        }
    }

    private boolean hasRoom() {
        last = ring.raiseFloor() + slots;
        return committed < last;
    }

    private Frame frameAt(long ringSequence, int length) {
        slot = ring.slotOf(ringSequence);
        return frame.wrap(memory, slot + SlottedRing.FRAME_OFFSET, length);
    }

    private RuntimeException refusedCommit(int length) {
        return claimed == NONE
                ? new IllegalStateException("there is no open claim to commit")
                : new IllegalArgumentException(
                        "commit of " + length + " bytes; 0 to " + claimed + ", the length claimed, are allowed");
    }
}
