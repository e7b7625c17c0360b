package dev.baton.test.memory;

import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.StartPosition;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.support.SequenceRanges;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A topic in memory: every frame, and the acknowledged positions of its consumers. Thread-safe. */
public final class MemoryTopic {
    /** A named consumer. */
    static final class Consumer {
        final List<Long> acknowledged = new ArrayList<>(List.of(0L)); // positions, rising
        MemoryReader reader; // live; null for none

        long position() {
            return acknowledged.get(acknowledged.size() - 1);
        }
    }

    /** The name of the topic. */
    public final String name;

    final long identity;
    private final List<byte[]> frames = new ArrayList<>(); // of sequence 1, 2, 3 ...
    private final Map<String, Consumer> consumers = new TreeMap<>();
    private SequenceRanges<Incarnation> writers = SequenceRanges.none();
    private SequenceRanges<InputRef> inputs = SequenceRanges.none();
    private MemoryWriter writer; // live; null for none

    MemoryTopic(String name, long identity) {
        this.name = name;
        this.identity = identity;
    }

    /** Wraps a view around a frame, and returns the view. */
    public static Frame view(Frame view, byte[] bytes) {
        return view.wrap(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), 0, bytes.length - Frame.HEADER_BYTES);
    }

    public synchronized int size() {
        return frames.size();
    }

    public synchronized byte[] frame(long sequence) {
        return frames.get((int) sequence - 1);
    }

    /** Appends frames of the live writer; a writer whose process was killed meanwhile stores nothing. */
    synchronized void append(MemoryWriter by, List<byte[]> batch) {
        if (writer == by) {
            frames.addAll(batch);
        }
    }

    /** Appends a frame of another topic, as the writer there wrote it. */
    public synchronized void append(byte[] frame, Incarnation author) {
        if (writers.newest() != author) {
            writers = writers.with(frames.size() + 1L, author);
        }
        frames.add(frame);
    }

    public synchronized Incarnation author(long sequence) {
        return sequence == 0 ? null : writers.at(sequence);
    }

    synchronized InputRef input(long sequence) {
        InputRef input = sequence == 0 ? null : inputs.at(sequence);
        return input == null ? InputRef.UNKNOWN : input;
    }

    synchronized void answers(MemoryWriter by, long first, InputRef input) {
        if (writer == by) {
            inputs = inputs.with(first, input);
        }
    }

    synchronized void rewound(MemoryWriter by, long first) {
        if (writer == by) {
            inputs = inputs.rewound(first);
        }
    }

    /** Registers the live writer, and returns its incarnation. */
    synchronized Incarnation occupy(MemoryWriter opened, String topology, long wallOffset) {
        if (writer != null) {
            throw new OccupiedException("topic '" + name + "' has a live writer");
        }
        Incarnation before = writers.newest();
        Incarnation.requireSameTopology(name, before, topology);
        long count = before == null ? 1 : Incarnation.count(before.id()) + 1;
        Incarnation begun = Incarnation.begin(Incarnation.id(count, identity), topology);
        Incarnation own = new Incarnation(begun.id(), topology, begun.boot(), wallOffset, begun.process());
        writers = writers.with(frames.size() + 1L, own);
        writer = opened;
        return own;
    }

    synchronized Consumer occupy(MemoryReader opened, String consumerName) {
        Consumer consumer = consumers.computeIfAbsent(consumerName, any -> new Consumer());
        if (consumer.reader != null) {
            throw new OccupiedException("consumer '" + consumerName + "' of topic '" + name + "' has a live reader");
        }
        consumer.reader = opened;
        return consumer;
    }

    /** Moves a consumer without a live reader, which may be new. */
    synchronized void move(String consumerName, StartPosition from) {
        long before = before(from);
        Consumer consumer = consumers.computeIfAbsent(consumerName, any -> new Consumer());
        if (consumer.reader != null) {
            throw new OccupiedException("consumer '" + consumerName + "' of topic '" + name + "' has a live reader");
        }
        consumer.acknowledged.clear();
        consumer.acknowledged.add(before);
    }

    private long before(StartPosition from) {
        if (from.kind() != StartPosition.Kind.TIME) {
            return from.before(name, 1, size());
        }
        Frame frame = new Frame();
        long before = 0;
        while (before < size()
                && view(frame, frame(before + 1)).sentNanos()
                                + writers.at(before + 1).wallOffsetNanos()
                        < from.epochNanos()) {
            before++;
        }
        return before;
    }

    synchronized void leave(MemoryWriter closed) {
        if (writer == closed) {
            writer = null;
        }
    }

    public synchronized boolean forgetConsumer(String consumerName) {
        Consumer consumer = consumers.get(consumerName);
        if (consumer != null && consumer.reader != null) {
            throw new OccupiedException("consumer '" + consumerName + "' of topic '" + name + "' has a live reader");
        }
        return consumers.remove(consumerName) != null;
    }

    synchronized void leave(Consumer consumer, MemoryReader closed) {
        if (consumer.reader == closed) {
            consumer.reader = null;
        }
    }

    synchronized long position(Consumer consumer) {
        return consumer.position();
    }

    synchronized void acknowledge(Consumer consumer, MemoryReader by, long position) {
        if (consumer.reader == by && position > consumer.position()) {
            consumer.acknowledged.add(position);
        }
    }

    /** Removes the newest positions, from an index on. */
    synchronized void forget(Consumer consumer, int kept) {
        consumer.acknowledged.subList(kept, consumer.acknowledged.size()).clear();
    }

    /** {@return whether frames wait for a poll of a consumer} */
    public synchronized boolean hasWaiting(String consumerName) {
        Consumer consumer = consumers.get(consumerName);
        return consumer != null && consumer.reader != null && consumer.reader.hasWaiting();
    }

    public synchronized boolean hasWriter() {
        return writer != null;
    }

    synchronized boolean isInUse() {
        return writer != null || consumers.values().stream().anyMatch(each -> each.reader != null);
    }

    public synchronized Map<String, Long> acknowledged() {
        Map<String, Long> all = new TreeMap<>();
        consumers.forEach((consumer, state) -> all.put(consumer, state.position()));
        return all;
    }
}
