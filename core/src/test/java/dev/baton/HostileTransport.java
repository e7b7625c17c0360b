package dev.baton;

import dev.baton.spi.Connection;
import dev.baton.spi.ConsumerLag;
import dev.baton.spi.Eras;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.Opening;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A transport in memory that makes every hardship that the SPI allows, and that survives its connections like a durable
 * one: refuses claims, cuts polls to one frame, stores late, fails on demand, forgets what was not acknowledged. Its
 * connections are {@linkplain CheckingConnection checked}.
 *
 * <p>Single-threaded, for manual loops, unless no hardship is set.
 */
final class HostileTransport implements Transport {
    /** What a topic holds, and what its consumers have acknowledged. */
    static final class Topic {
        final List<byte[]> frames = new ArrayList<>();
        final Map<String, Long> acknowledged = new TreeMap<>();
        final long identity = IDENTITIES.incrementAndGet();
        Eras<Incarnation> writers = Eras.none();
        Eras<InputRef> inputs = Eras.none();
        volatile int stored;
        volatile int removed; // by retention, from the oldest on
        volatile boolean hasWriter;

        synchronized int size() {
            return frames.size();
        }

        synchronized byte[] get(int index) {
            return frames.get(index);
        }

        synchronized void add(byte[] frame) {
            frames.add(frame);
        }
    }

    private static final AtomicLong IDENTITIES = new AtomicLong();

    private final Map<String, Topic> topics = new TreeMap<>();
    private final Set<Guarantee> guarantees =
            EnumSet.of(Guarantee.IMMEDIATE, Guarantee.DURABLE, Guarantee.CROSS_PROCESS);

    boolean refusesEveryOtherClaim;
    boolean cutsPollsToOne;
    boolean storesLate; // nothing is stored before store()
    boolean knowsSequence = true; // that a reader begins with
    volatile boolean knowsBacklog; // of a reader
    volatile boolean withholdsFrames; // from readers
    int turnsHeldBack; // during which nothing leaves
    int room = 8;
    int maxPayload = 1024;
    Runnable duringPoll = () -> {};
    Runnable duringAcknowledge = () -> {};
    volatile boolean needsWork; // frames leave only with the connection's turns, and one thread at a time may use it
    volatile Consumer<String> duringCreation = topic -> {};
    volatile Consumer<String> duringOpen = topic -> {}; // of a writer
    Consumer<Topic> duringFlush = topic -> {};
    volatile boolean opensInSteps; // what may block is done off the connection's thread, and takes the writer's place
    volatile Predicate<String> mayClose = consumer -> true; // when it is tried without blocking
    volatile RuntimeException backgroundFailure; // of each connection
    final Map<String, TransportException> endedWriters = new ConcurrentHashMap<>(); // by topic, from now on
    final Map<String, TransportException> endedReaders = new ConcurrentHashMap<>();
    volatile Runnable beforeCall = () -> {}; // of each method of a connection, and of what was opened through it
    volatile int turns;
    volatile int openConnections;
    int openReaders;
    int backlogsAsked;

    HostileTransport without(Guarantee guarantee) {
        guarantees.remove(guarantee);
        return this;
    }

    Topic topic(String name) {
        return topics.get(name);
    }

    /** The topic's stored frames as text "sequence<cause:payload-length". */
    List<Frame> frames(String name) {
        return topics.get(name).frames.stream().map(HostileTransport::view).toList();
    }

    /** Writes 8 bytes for each number, and vouches for them. */
    void write(String name, long from, long to) {
        try (Connection connection = connect();
                TopicWriter writer = connection.openWriter(name)) {
            for (long value = from; value <= to; value++) {
                byte[] frame = new byte[Frame.HEADER_BYTES + Long.BYTES];
                view(frame).stamp(0, 0, 0, 0, 0);
                view(frame).putLong(0, value);
                view(frame).sequence(writer.sequence() + 1);
                topics.get(name).add(frame);
            }
            topics.get(name).stored = topics.get(name).size();
        }
    }

    /** Writes a frame with this cause. */
    void writeCaused(String name, long cause) {
        write(name, 1, 1);
        view(topics.get(name).get(topics.get(name).size() - 1)).stamp(0, 0, cause, 0, 0);
    }

    /** Vouches for everything written so far. */
    void store() {
        topics.values().forEach(topic -> topic.stored = topic.size());
    }

    /** What a crash does: frames that nobody vouched for and every writer are gone. */
    void crash() {
        for (Topic topic : topics.values()) {
            while (topic.frames.size() > topic.stored) {
                topic.frames.remove(topic.frames.size() - 1);
            }
            topic.hasWriter = false;
        }
    }

    @Override
    public String name() {
        return "hostile";
    }

    @Override
    public Set<Guarantee> guarantees() {
        return guarantees;
    }

    @Override
    public TopicInspector inspect(String name) {
        return new HostileInspector(topics.get(name));
    }

    @Override
    public int maxPayload() {
        return maxPayload;
    }

    @Override
    public Map<String, String> properties() {
        return Map.of();
    }

    @Override
    public synchronized Set<String> createTopics(Collection<String> names) {
        PartitionTopic.requireSameCounts(names, topics::containsKey);
        Set<String> created = new HashSet<>(names);
        created.removeAll(topics.keySet());
        for (String name : created) {
            duringCreation.accept(name);
        }
        created.forEach(name -> topics.put(name, new Topic()));
        return created;
    }

    @Override
    public synchronized Set<String> topics() {
        return new HashSet<>(topics.keySet());
    }

    @Override
    public synchronized void deleteTopics(Collection<String> names) {
        for (String name : names) {
            if (topics.containsKey(name) && topics.get(name).hasWriter) {
                throw new TransportException("topic " + name + " is in use");
            }
        }
        topics.keySet().removeAll(names);
    }

    @Override
    public boolean forgetConsumer(String topic, String consumer) {
        return topics.get(topic).acknowledged.remove(consumer) != null;
    }

    @Override
    public void close() {}

    @Override
    public Connection connect() {
        countConnections(1);
        return new CheckingConnection(new HostileConnection(), () -> beforeCall.run());
    }

    private synchronized void countConnections(int change) {
        openConnections += change;
    }

    synchronized void countReaders(int change) {
        openReaders += change;
    }

    static Frame view(byte[] bytes) {
        return new Frame()
                .wrap(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), 0, bytes.length - Frame.HEADER_BYTES);
    }

    private final class HostileConnection implements Connection {
        private final List<HostileWriter> writers = new ArrayList<>();
        private boolean isOpen = true;

        @Override
        public boolean needsWork() {
            return needsWork;
        }

        @Override
        public TopicWriter openWriter(String topic, String topology) {
            take(topic);
            return join(topic, topology);
        }

        @Override
        public Opening<TopicWriter> beginWriter(String topic, String topology) {
            return opensInSteps
                    ? new HostileOpening(
                            () -> take(topic), () -> join(topic, topology), () -> topics.get(topic).hasWriter = false)
                    : Connection.super.beginWriter(topic, topology);
        }

        private void take(String topic) {
            duringOpen.accept(topic);
            if (topics.get(topic).hasWriter) {
                throw new TransportException("topic " + topic + " has a live writer");
            }
            topics.get(topic).hasWriter = true;
        }

        private TopicWriter join(String topic, String topology) {
            if (!isOpen) {
                throw new IllegalStateException("the connection is closed");
            }
            writers.add(new HostileWriter(topic, topics.get(topic), topology));
            return writers.get(writers.size() - 1);
        }

        @Override
        public TopicReader openReader(String topic, String consumer) {
            countReaders(1);
            return new HostileReader(HostileTransport.this, topic, consumer);
        }

        @Override
        public int doWork() {
            turns = turns + 1; // by one thread at a time
            if (backgroundFailure != null) {
                throw backgroundFailure;
            }
            return needsWork && turnsHeldBack-- <= 0
                    ? writers.stream().mapToInt(HostileWriter::handOver).sum()
                    : 0;
        }

        @Override
        public void close() {
            if (isOpen) {
                isOpen = false;
                countConnections(-1);
                writers.forEach(TopicWriter::close);
            }
        }
    }

    private final class HostileWriter implements TopicWriter {
        private final String name;
        private final Topic topic;
        private final List<byte[]> pending = new ArrayList<>();
        private final Frame newest; // at open; null: none
        private final Incarnation predecessor;
        private final Incarnation incarnation;
        private final InputRef inputAtOpen;
        private byte[] open;
        private int claims;
        private boolean isOpen = true;

        HostileWriter(String name, Topic topic, String topology) {
            this.name = name;
            this.topic = topic;
            newest = topic.size() == 0 ? null : view(topic.get(topic.size() - 1));
            predecessor = topic.writers.at(topic.size());
            Incarnation before = topic.writers.newest();
            Incarnation.requireSameTopology("hostile", before, topology);
            incarnation = Incarnation.begin(
                    Incarnation.id(before == null ? 1 : Incarnation.count(before.id()) + 1, topic.identity), topology);
            topic.writers = topic.writers.with(topic.size() + 1L, incarnation);
            InputRef input = topic.inputs.at(topic.size());
            inputAtOpen = input == null ? InputRef.UNKNOWN : input;
        }

        @Override
        public int remainingCapacity() {
            long slowest = topic.acknowledged.values().stream()
                    .mapToLong(Long::longValue)
                    .min()
                    .orElse(0);
            return (int) Math.max(0, room - (topic.size() + pending.size() - slowest));
        }

        @Override
        public ConsumerLag slowestConsumer() {
            return topic.acknowledged.entrySet().stream()
                    .filter(each -> each.getValue() < topic.size())
                    .min(Map.Entry.comparingByValue())
                    .map(each -> new ConsumerLag(each.getKey(), topic.size() - each.getValue()))
                    .orElse(null);
        }

        @Override
        public int capacity() {
            return room;
        }

        @Override
        public Frame claim(int maxLength) {
            checkWorks();
            if (maxLength > maxPayload()) {
                throw new IllegalArgumentException("claim of " + maxLength + ", longest is " + maxPayload());
            }
            if (open != null) {
                throw new IllegalStateException("open claim");
            }
            if (remainingCapacity() == 0 || refusesEveryOtherClaim && claims++ % 2 == 0) {
                return null;
            }
            open = new byte[Frame.HEADER_BYTES + maxLength];
            return view(open);
        }

        @Override
        public long commit(int length) {
            byte[] frame = java.util.Arrays.copyOf(open, Frame.HEADER_BYTES + length);
            open = null;
            pending.add(frame);
            view(frame).sequence(sequence());
            return sequence();
        }

        @Override
        public void abort() {
            open = null;
        }

        @Override
        public void flush() {
            checkWorks();
            duringFlush.accept(topic);
            if (!needsWork) {
                handOver();
            }
        }

        int handOver() {
            if (failure() != null) {
                return 0;
            }
            int frames = pending.size();
            pending.forEach(topic::add);
            pending.clear();
            if (!storesLate) {
                topic.stored = topic.size();
            }
            return frames;
        }

        @Override
        public void rewind(long sequence) {
            while (sequence() > sequence) {
                pending.remove(pending.size() - 1);
            }
        }

        @Override
        public long sequence() {
            return topic.size() + pending.size();
        }

        @Override
        public long storedSequence() {
            return topic.stored;
        }

        @Override
        public TransportException failure() {
            return endedWriters.get(name);
        }

        private void checkWorks() {
            TransportException ended = failure();
            if (ended != null) {
                throw ended;
            }
        }

        @Override
        public long causeAtOpen() {
            return newest == null ? 0 : newest.cause();
        }

        @Override
        public long originAtOpen() {
            return newest == null ? 0 : newest.originNanos();
        }

        @Override
        public byte[] mergedAtOpen() {
            return newest == null ? null : Extension.copy(newest, Extension.MERGED);
        }

        @Override
        public byte[] tickAtOpen() {
            return newest == null ? null : Extension.copy(newest, Extension.TICK);
        }

        @Override
        public InputRef inputAtOpen() {
            return inputAtOpen;
        }

        @Override
        public void answers(InputRef input) {
            topic.inputs = topic.inputs.with(sequence() + 1, input);
        }

        @Override
        public Incarnation predecessor() {
            return predecessor;
        }

        @Override
        public Incarnation incarnation() {
            return incarnation;
        }

        @Override
        public void close() {
            if (isOpen) {
                isOpen = false;
                handOver();
                topic.hasWriter = false;
            }
        }
    }
}
