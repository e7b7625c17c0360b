package dev.baton.broken.heap;

import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.ObservingConsumer;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicWriter.ConsumerLag;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.SequenceRanges;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/**
 * A topic: slots of one size, and who has acknowledged what. Sequence n lies in slot n modulo the slots. Thread-safe, but for
 * the slots: the writer fills those that no consumer holds and then publishes them.
 */
public class HeapTopic {
    public static final int SLOTS = 64;

    /** Where a slot's frame begins, behind its length. */
    public static final int FRAME_OFFSET = 8;

    public final String name;
    public final List<HeapConsumer> consumers = new ArrayList<>(); // guarded by this
    public long floor; // newest sequence whose slot may be filled again; guarded by this

    private final ByteBuffer memory;
    private final int stride;
    private final long identity = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
    private volatile long published;
    private volatile SequenceRanges<Incarnation> writers = SequenceRanges.none();
    private SequenceRanges<InputRef> inputs = SequenceRanges.none(); // guarded by this
    private boolean hasWriter; // guarded by this
    private boolean hasForgotten; // a consumer, so that without any nothing is held; guarded by this

    public HeapTopic(String name) {
        this.name = name;
        stride = FRAME_OFFSET + Frame.HEADER_BYTES + HeapTransport.MAX_PAYLOAD;
        memory = ByteBuffer.allocate(SLOTS * stride).order(ByteOrder.LITTLE_ENDIAN);
    }

    public long identity() {
        return identity;
    }

    /** Takes a frame over that lies in the slots of another. */
    public void copy(HeapTopic from, long sequence) {
        int slot = slot(sequence);
        for (int i = slot; i < slot + stride; i++) {
            memory.put(i, from.memory.get(i));
        }
    }

    /** Aims a view at a frame to be written. */
    public Frame aim(Frame view, long sequence, int length) {
        return view.wrap(memory, slot(sequence) + FRAME_OFFSET, length);
    }

    /** Aims a view at a frame that was written. */
    public Frame aim(Frame view, long sequence) {
        return aim(view, sequence, memory.getInt(slot(sequence)));
    }

    public void length(long sequence, int length) {
        memory.putInt(slot(sequence), length);
    }

    private int slot(long sequence) {
        return (int) (sequence % SLOTS) * stride;
    }

    public long published() {
        return published;
    }

    public void publish(long sequence) {
        published = sequence;
    }

    /** Up to which sequence a slot may be filled again: what every consumer has acknowledged, nothing while there is none. */
    public synchronized long raiseFloor() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < consumers.size(); i++) {
            if (holdsBack(consumers.get(i))) {
                least = Math.min(least, heldFrom(consumers.get(i)));
            }
        }
        if (least == Long.MAX_VALUE) {
            least = raisedWithoutConsumers();
        }
        floor = Math.max(floor, least);
        return floor;
    }

    /** Returns whether frames are kept for a consumer. */
    public boolean holdsBack(HeapConsumer consumer) {
        return !ObservingConsumer.isObserving(consumer.name);
    }

    /** Frames up to this sequence may have been overwritten. */
    public synchronized long floor() {
        return floor;
    }

    /** The consumer that is furthest behind; null when none is. */
    public synchronized ConsumerLag slowestConsumer() {
        ConsumerLag slowest = null;
        for (HeapConsumer consumer : consumers) {
            long behind = published - consumer.acknowledged;
            if (holdsBack(consumer) && behind > (slowest == null ? 0 : slowest.frames())) {
                slowest = new ConsumerLag(consumer.name, behind);
            }
        }
        return slowest;
    }

    /** Up to which sequence a slot may be filled again while there is no consumer. */
    public synchronized long raisedWithoutConsumers() {
        return hasForgotten ? published : floor;
    }

    public synchronized boolean forgetConsumer(String consumerName) {
        for (HeapConsumer consumer : consumers) {
            if (consumer.name.equals(consumerName)) {
                if (consumer.hasReader && keepsLiveConsumers()) {
                    throw new OccupiedException(
                            "consumer '" + consumerName + "' of topic '" + name + "' has a live reader");
                }
                forget(consumer);
                hasForgotten = true;
                return true;
            }
        }
        return false;
    }

    public boolean keepsLiveConsumers() {
        return true;
    }

    /** Removes a consumer. */
    public void forget(HeapConsumer consumer) {
        consumers.remove(consumer);
    }

    /** Up to which sequence a consumer needs nothing more. */
    public long heldFrom(HeapConsumer consumer) {
        return consumer.acknowledged;
    }

    public synchronized HeapConsumer openConsumer(String consumerName) {
        HeapConsumer consumer = consumers.stream()
                .filter(known -> known.name.equals(consumerName))
                .findFirst()
                .orElseGet(() -> newConsumer(consumerName));
        if (consumer.hasReader && keepsReadersOut()) {
            throw new OccupiedException("consumer '" + consumerName + "' of topic '" + name + "' has a live reader");
        }
        consumer.hasReader = true;
        return consumer;
    }

    /** Moves a consumer, which may be new. */
    public synchronized void move(String consumerName, StartPosition from) {
        long before = before(from);
        HeapConsumer consumer = openConsumer(consumerName);
        consumer.acknowledged = before;
        consumer.hasReader = false;
    }

    /** The sequence before a position. */
    public long before(StartPosition from) {
        if (from.kind() != StartPosition.Kind.TIME) {
            return from.before(name, floor + 1, published);
        }
        Frame frame = new Frame();
        long before = floor;
        while (before < published && wallNanos(aim(frame, before + 1)) < from.epochNanos()) {
            before++;
        }
        return before;
    }

    /** When a frame was sent. */
    public long wallNanos(Frame frame) {
        return frame.sentNanos() + writers.at(frame.sequence()).wallOffsetNanos();
    }

    public boolean keepsReadersOut() {
        return true;
    }

    /** Where a consumer seen for the first time starts. */
    public long start() {
        return floor;
    }

    private HeapConsumer newConsumer(String consumerName) {
        HeapConsumer consumer = new HeapConsumer(consumerName, start());
        consumers.add(consumer);
        return consumer;
    }

    public synchronized void closeConsumer(HeapConsumer consumer) {
        consumer.hasReader = false;
    }

    public synchronized Incarnation openWriter(String topology) {
        if (hasWriter && keepsWritersOut()) {
            throw new OccupiedException("topic '" + name + "' has a live writer");
        }
        Incarnation predecessor = writers.newest();
        Incarnation.requireSameTopology(name, predecessor, topologyOf(topology, predecessor));
        Incarnation begun = Incarnation.begin(Incarnation.id(nextCount(predecessor), identity), topology);
        writers = writers.with(published + 1, begun);
        hasWriter = true;
        return begun;
    }

    public boolean keepsWritersOut() {
        return true;
    }

    /** The topology that a new writer is held to have. */
    public String topologyOf(String topology, Incarnation predecessor) {
        return topology;
    }

    /** The count of a new writer. */
    public long nextCount(Incarnation predecessor) {
        long newest = predecessor == null ? 0 : Incarnation.count(predecessor.id());
        return Incarnation.countAfter(newest, System.currentTimeMillis());
    }

    public synchronized void closeWriter() {
        hasWriter = false;
    }

    public synchronized Map<String, Long> acknowledged() {
        return consumers.stream()
                .collect(Collectors.toMap(consumer -> consumer.name, consumer -> consumer.acknowledged));
    }

    public synchronized boolean isInUse() {
        return hasWriter || consumers.stream().anyMatch(consumer -> consumer.hasReader);
    }

    public void requireUnused() {
        if (isInUse()) {
            throw new TransportException("topic '" + name + "' is in use and cannot be deleted");
        }
    }

    public SequenceRanges<Incarnation> writers() {
        return writers;
    }

    public synchronized InputRef inputOf(long sequence) {
        InputRef input = inputs.at(sequence);
        return input == null ? InputRef.UNKNOWN : input;
    }

    public synchronized void answers(long sequence, InputRef input) {
        inputs = inputs.with(sequence, input);
    }

    public synchronized void rewound(long sequence) {
        inputs = inputs.rewound(sequence);
    }
}
