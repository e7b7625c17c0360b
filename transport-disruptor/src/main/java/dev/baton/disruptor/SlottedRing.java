package dev.baton.disruptor;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.SequenceBarrier;
import com.lmax.disruptor.SingleProducerSequencer;
import com.lmax.disruptor.WaitStrategy;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicWriter.ConsumerLag;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.SequenceRanges;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A topic: slots of one size in one buffer, and the sequences that decide which slots have frames.
 *
 * <pre>
 * slot, stride bytes, little endian
 *  0  payload length 4
 *  4  unused         4
 *  8  frame         40 + longest payload, rounded up to 8
 * </pre>
 *
 * <p>Ring sequence n = 0, 1, 2 ... holds the frame with sequence n + 1 and lies in slot (n - lap) modulo slots.
 *
 * <p><b>Laps.</b> The lap is the ring sequence in slot 0. When every consumer has acknowledged every frame, the writer may set it to
 * the next one, so that a ring whose consumers keep up uses only its first slots, which stay in the caches. The writer sets it
 * before it publishes the first frame of the lap, and by then no consumer reads an older frame.
 *
 * <p><b>The access to a slot.</b> The writer fills slots beyond the cursor and publishes them with one {@link
 * Sequence#set}, a release store: a thread that reads the cursor with {@link Sequence#get}, an acquire load, sees every byte
 * of every frame up to it. A reader that has consumed frames moves its consumer's sequence the same way, and the writer
 * that reads it so may fill their slots again: no read of the old frame can be delayed past the reader's release, no
 * write of the new one can come before the writer's acquire. Neither side needs a full fence: each relies only on a value
 * that may be old, and an old value is always the safe one.
 *
 * <p><b>The floor</b> is the newest ring sequence whose slot the writer may take again; frames above are held. It follows
 * the slowest consumer's sequence, but only when the writer calls {@link #raiseFloor}, which it does when the room of the last
 * call is used up: seldom, so the cost of the monitor does not show. A new consumer begins at the floor, under the same
 * monitor. So it reads the oldest frame that is still there, and never takes back room that the writer was promised. Before
 * the first consumer is opened, a placeholder holds everything.
 *
 * <p>Consumers stay when their readers close: frames that they have not acknowledged are kept for them until they are
 * forgotten. When no consumer is left the floor follows the cursor.
 *
 * <p>Thread-safe, but for the slots themselves: see above.
 */
final class SlottedRing {
    /** The offset of the frame in a slot. */
    static final int FRAME_OFFSET = 8;

    /** A named consumer, which stays when its reader closes. */
    static final class RingConsumer {
        final String name;

        /** The ring sequence of the newest frame acknowledged; moved by the reader, read by the writer. */
        final Sequence acknowledged = new Sequence();

        private boolean hasReader; // guarded by the ring

        private RingConsumer(String name) {
            this.name = name;
        }
    }

    private static final int ALIGNMENT = 8;

    /** The strategy that the sequencer requires, although no thread waits on a ring. */
    private static final WaitStrategy NO_WAIT = new BusySpinWaitStrategy();

    final String topic;
    final int maxPayload;
    final int slots;
    final int stride;
    final long identity = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);

    private final SingleProducerSequencer sequencer;
    private final SequenceBarrier barrier;
    private final List<RingConsumer> consumers = new ArrayList<>(1); // guarded by this
    private Sequence placeholder = new Sequence(); // guarded by this; null once there is a consumer
    private ByteBuffer memory; // written once, under the monitor, before the first publish
    private long lap; // ring sequence in slot 0; set by the writer while every frame is acknowledged
    private ByteBuffer beforeLap; // header and extension of the last frame before the lap; null until first use
    private int bytesBeforeLap;
    private long floor = -1; // guarded by this
    private boolean hasWriter; // guarded by this
    private SequenceRanges<InputRef> inputs = SequenceRanges.none(); // guarded by this
    private volatile SequenceRanges<Incarnation> writers =
            SequenceRanges.none(); // replaced under the monitor, before a frame of the new writer
    private boolean retired; // guarded by this

    SlottedRing(String topic, int slots, int maxPayload) {
        this.topic = topic;
        this.slots = slots;
        this.maxPayload = maxPayload;
        this.stride = stride(maxPayload);
        this.sequencer = new SingleProducerSequencer(slots, NO_WAIT);
        this.barrier = sequencer.newBarrier();
        sequencer.addGatingSequences(placeholder);
    }

    /** Returns the bytes from one slot to the next. */
    static int stride(int maxPayload) {
        return (FRAME_OFFSET + Frame.HEADER_BYTES + maxPayload + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    /** Returns the sequence of the frame at a position: its ring sequence. */
    static long sequenceAt(long position) {
        return position + 1;
    }

    /** Returns the position of the frame with a sequence. */
    static long positionOf(long sequence) {
        return sequence - 1;
    }

    /** Returns where the slot of a position begins. */
    int slotOf(long position) {
        return ((int) (position - lap) & slots - 1) * stride;
    }

    /**
     * Begins a new lap if every consumer has acknowledged every frame. Called by the writer only, without frames that are not
     * published.
     *
     * @return the floor, which is raised
     */
    long tryLap() {
        long published = published();
        long raised = raiseFloor();
        if (raised == published && published >= lap) {
            keepNewest(slotOf(published));
            lap = published + 1;
        }
        return raised;
    }

    /** Copies what the next writer has to find of the newest frame, because its slot may be taken before another is published. */
    private void keepNewest(int slot) {
        int frame = slot + FRAME_OFFSET;
        int extension = memory.getShort(frame) == Frame.VERSION ? 0 : Extension.MAX_BYTES + Frame.CHECKSUM_BYTES;
        bytesBeforeLap = Frame.HEADER_BYTES + Math.min(memory.getInt(slot), extension);
        if (beforeLap == null || beforeLap.capacity() < bytesBeforeLap) {
            beforeLap = ByteBuffer.allocate(bytesBeforeLap).order(ByteOrder.LITTLE_ENDIAN);
        }
        beforeLap.put(0, memory, frame, bytesBeforeLap);
    }

    /** Returns the newest published frame, of whose payload the end may be missing; null if there is none. Called by the writer only. */
    Frame newest() {
        long published = published();
        if (published < 0) {
            return null;
        }
        if (published < lap) {
            return new Frame().wrap(beforeLap, 0, bytesBeforeLap - Frame.HEADER_BYTES);
        }
        int slot = slotOf(published);
        return new Frame().wrap(memory, slot + FRAME_OFFSET, memory.getInt(slot));
    }

    /** Returns the slots. Called after the cursor has moved, or by the writer. */
    ByteBuffer memory() {
        return memory;
    }

    /** Returns the newest ring sequence that readers may read. An acquire load. */
    long published() {
        return barrier.getCursor();
    }

    /** Publishes everything up to a position to readers. A release store; called by the writer only. */
    void publish(long position) {
        // Not next(): with assertions on, it binds the ring to the first thread that writes to it, for ever, and keeps
        // the ring in a static map. It would also wait where the writer has checked already.
        sequencer.claim(position);
        sequencer.publish(position);
    }

    /** Raises the floor to the slowest consumer, and returns it. Called by the writer only. */
    long raiseFloor() {
        if (sequencer.getMinimumSequence() == floorOfWriter()) {
            return floorOfWriter();
        }
        synchronized (this) {
            floor = sequencer.getMinimumSequence();
            return floor;
        }
    }

    /** Returns the consumer that holds the floor; null when all have acknowledged everything, or there is none. */
    synchronized ConsumerLag slowestConsumer() {
        RingConsumer slowest = null;
        long least = published();
        for (RingConsumer consumer : consumers) {
            long acknowledged = consumer.acknowledged.get();
            if (acknowledged < least) {
                least = acknowledged;
                slowest = consumer;
            }
        }
        return slowest == null ? null : new ConsumerLag(slowest.name, published() - least);
    }

    /** Returns the floor without the monitor: the writer, which calls this, is the only one that moves it. */
    @SuppressWarnings("GuardedBy")
    private long floorOfWriter() {
        return floor;
    }

    /** Makes the caller the one writer, and begins its incarnation. */
    synchronized Incarnation openWriter(String topology) {
        ensureExists();
        if (hasWriter) {
            throw new OccupiedException("topic '" + topic + "' has a live writer; close that one first");
        }
        if (memory == null) {
            memory = allocate();
        }
        Incarnation predecessor = writers.newest();
        Incarnation.requireSameTopology(topic, predecessor, topology);
        long newest = predecessor == null ? 0 : Incarnation.count(predecessor.id());
        long count = Incarnation.countAfter(newest, System.currentTimeMillis());
        Incarnation begun = Incarnation.begin(Incarnation.id(count, identity), topology);
        writers = writers.with(sequenceAt(published() + 1), begun);
        hasWriter = true;
        return begun;
    }

    /**
     * Returns the writers by the sequences of their first frames. After a call of {@link #published}, it contains the
     * writers of all published frames.
     */
    SequenceRanges<Incarnation> writers() {
        return writers;
    }

    /** Returns the input that the frame with a sequence answers. */
    synchronized InputRef inputOf(long sequence) {
        InputRef input = inputs.at(sequence);
        return input == null ? InputRef.UNKNOWN : input;
    }

    /** Adds that frames from a sequence on answer an input. */
    synchronized void answers(long sequence, InputRef input) {
        inputs = inputs.with(sequence, input);
    }

    /** Makes the newest input hold from a sequence on, since the frames from there on were withdrawn. */
    synchronized void rewound(long sequence) {
        inputs = inputs.rewound(sequence);
    }

    synchronized void closeWriter() {
        hasWriter = false;
    }

    /**
     * Finds or adds a consumer, for one reader at a time.
     *
     * @param from where it continues; only slots above the floor can be read again
     */
    synchronized RingConsumer openConsumer(String name, StartPosition from) {
        ensureExists();
        RingConsumer consumer = consumers.stream()
                .filter(known -> known.name.equals(name))
                .findFirst()
                .orElse(null);
        if (consumer != null && consumer.hasReader) {
            throw new OccupiedException(
                    "consumer '" + name + "' of topic '" + topic + "' has a live reader; close that one first");
        }
        long acknowledged = from.isStored()
                ? floor
                : positionOf(from.before(topic, sequenceAt(floor + 1), sequenceAt(published())));
        consumer = consumer == null ? newConsumer(name) : consumer;
        if (!from.isStored()) {
            consumer.acknowledged.set(acknowledged);
        }
        consumer.hasReader = true;
        return consumer;
    }

    synchronized void closeConsumer(RingConsumer consumer) {
        consumer.hasReader = false;
    }

    /** Forgets a consumer, for which no frame is held any more; returns false when there is none of this name. */
    synchronized boolean forgetConsumer(String name) {
        ensureExists();
        for (RingConsumer consumer : consumers) {
            if (consumer.name.equals(name)) {
                if (consumer.hasReader) {
                    throw new OccupiedException("consumer '" + name + "' of topic '" + topic
                            + "' has a live reader and cannot be forgotten; close that one first");
                }
                consumers.remove(consumer);
                return sequencer.removeGatingSequence(consumer.acknowledged);
            }
        }
        return false;
    }

    /**
     * Forbids any further use of all these rings, or of none.
     *
     * @throws TransportException when one of them is in use
     */
    static void retire(List<SlottedRing> rings) {
        int retired = 0;
        try {
            for (SlottedRing ring : rings) {
                ring.retire();
                retired++;
            }
        } catch (TransportException inUse) {
            rings.subList(0, retired).forEach(SlottedRing::unretire);
            throw inUse;
        }
    }

    private synchronized void retire() {
        if (hasWriter || consumers.stream().anyMatch(consumer -> consumer.hasReader)) {
            throw new TransportException("topic '" + topic + "' is in use and cannot be deleted");
        }
        retired = true;
    }

    private synchronized void unretire() {
        retired = false;
    }

    /**
     * Allocates the slots outside of the heap: with one ring as fast as on the heap, with 18,000 rings of 64 small
     * slots swept in turn 30 to 60 ns per hop instead of 120 to 210 (JDK 17 and 25, two cores). Without slots between
     * them, the small objects of neighbouring rings lie close together and are prefetched.
     */
    private ByteBuffer allocate() {
        try {
            return ByteBuffer.allocateDirect(slots * stride).order(ByteOrder.LITTLE_ENDIAN);
        } catch (OutOfMemoryError noneLeft) {
            throw new TransportException(
                    "no direct memory left for the " + slots * stride + " bytes of topic '" + topic
                            + "'; raise -XX:MaxDirectMemorySize, which is -Xmx by default, or choose fewer slots",
                    noneLeft);
        }
    }

    private RingConsumer newConsumer(String name) {
        RingConsumer consumer = new RingConsumer(name);
        // The sequencer puts every new sequence at the cursor. Until it is moved back to the floor it holds too little,
        // but the floor cannot rise before the monitor is released.
        sequencer.addGatingSequences(consumer.acknowledged);
        consumer.acknowledged.set(floor);
        consumers.add(consumer);
        if (placeholder != null) {
            sequencer.removeGatingSequence(placeholder);
            placeholder = null;
        }
        return consumer;
    }

    private void ensureExists() {
        if (retired) {
            throw new TransportException("there is no topic '" + topic + "'; it was deleted");
        }
    }
}
