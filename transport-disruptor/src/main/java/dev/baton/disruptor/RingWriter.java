package dev.baton.disruptor;

import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.TopicWriter.ConsumerLag;
import dev.baton.spi.support.ClaimingWriter;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Writes frames into the slots of a ring and publishes them in batches.
 *
 * <p>Nothing is taken from the sequencer before the flush: claimed and committed frames lie beyond the cursor, where no
 * reader reads, so abort and rewind only move numbers. Confined to the thread that opened it.
 */
final class RingWriter extends ClaimingWriter {
    /**
     * The number of frames after which a new lap may begin. With 300 chains of five services on one loop and one message each, a hop
     * takes 0.67 of the time without laps (slots of 1,072 bytes); with one chain 0.95, with 3,000 as long as without
     * (ManyChains, Xeon family 6 model 167).
     */
    static final int LAP = 8;

    /**
     * The number of publications of other topics on the same connection after which a lap is worth its cost: it takes the monitor of the
     * ring and copies a header. Laps make a hop of one topic alone 1.1 times as dear. Without them a chain of five services on one loop,
     * whose topics take turns, is 1.1 times as dear (HopPair, Xeon family 6 model 207).
     */
    static final int OTHERS = 4;

    private final SlottedRing ring;
    private final Publications publications;
    private final Consumer<RingWriter> onClose;
    private final ByteBuffer memory;
    private final int slots;
    private final TopicEnd found;
    private final Incarnation incarnation;
    private final Frame frame = new Frame();

    // Ring sequences: a frame's own sequence is one more.
    private long published;
    private long committed;
    private long last; // the newest that may be committed
    private long committedAtLastCall;
    private long lapEnd; // when this is committed, a new lap may begin
    private long newestPublication = -OTHERS; // its number on the connection

    private int slot; // where the open claim's slot begins

    /**
     * Makes the caller the one writer of a ring.
     *
     * @param publications of all writers of the connection
     */
    RingWriter(SlottedRing ring, String topology, Publications publications, Consumer<RingWriter> onClose) {
        super(ring.topic, ring.maxPayload, DisruptorOptions.MAX_PAYLOAD.toString());
        incarnation = ring.openWriter(topology);
        this.ring = ring;
        this.publications = publications;
        this.onClose = onClose;
        memory = ring.memory();
        slots = ring.slots;
        published = ring.published();
        committed = published;
        committedAtLastCall = published;
        last = ring.raiseFloor() + slots;
        lapEnd = published;
        found = TopicEnd.at(ring.newest(), false, ring.writers().at(sequence()), ring.inputOf(sequence()));
    }

    /**
     * {@inheritDoc}
     *
     * <p>The result is a lower bound, unless less than half of the ring seems free or nothing was committed since the last
     * call: then it reads the positions of consumers.
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
        requireClaimable(maxLength);
        if (committed >= lapEnd && committed == published) {
            tryLap();
        }
        if (committed == last && !hasRoom()) {
            return null;
        }
        openClaim(maxLength);
        return frameAt(committed + 1, maxLength);
    }

    @Override
    public long commit(int length) {
        endClaim(length);
        long sequence = SlottedRing.sequenceAt(++committed);
        memory.putInt(slot, length);
        frame.sequence(sequence);
        return sequence;
    }

    @Override
    public void flush() {
        check();
        requireNoClaim();
        publish();
    }

    @Override
    public void rewind(long sequence) {
        requireRewindable(sequence, storedSequence());
        committed = SlottedRing.positionOf(sequence);
        ring.rewound(sequence + 1);
    }

    @Override
    public long sequence() {
        return SlottedRing.sequenceAt(committed);
    }

    @Override
    public long storedSequence() {
        return SlottedRing.sequenceAt(published);
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
            discardClaim();
            publish();
            ring.closeWriter();
            onClose.accept(this);
        }
    }

    private void publish() {
        if (committed != published) {
            ring.publish(committed);
            published = committed;
            newestPublication = publications.add();
        }
    }

    private void tryLap() {
        lapEnd = committed + LAP;
        if (publications.count() - newestPublication >= OTHERS) {
            last = ring.tryLap() + slots;
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
}
