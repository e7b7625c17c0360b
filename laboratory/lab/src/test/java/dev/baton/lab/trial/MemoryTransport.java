package dev.baton.lab.trial;

import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Guarantee;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Queues on the heap with one reader each, which lose or alter one frame of the first topic if told to. */
final class MemoryTransport implements Transport {
    static final Set<String> LEFT_BEHIND = ConcurrentHashMap.newKeySet();

    private record Topic(ConcurrentLinkedQueue<byte[]> frames, AtomicInteger held) {}

    private final Map<String, Topic> topics = new ConcurrentHashMap<>();
    private final int lose;
    private final int alter;
    private final int room;

    MemoryTransport(int lose, int alter, int room) {
        this.lose = lose;
        this.alter = alter;
        this.room = room;
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public Set<Guarantee> guarantees() {
        return Set.of(Guarantee.IMMEDIATE);
    }

    @Override
    public int maxPayload() {
        return 1024;
    }

    @Override
    public Map<String, String> properties() {
        return Map.of("durability", "none");
    }

    @Override
    public Connection connect() {
        return new MemoryConnection();
    }

    @Override
    public Set<String> createTopics(Collection<String> names) {
        Set<String> created = new TreeSet<>(names);
        created.removeAll(topics.keySet());
        created.forEach(name -> topics.put(name, new Topic(new ConcurrentLinkedQueue<>(), new AtomicInteger())));
        return created;
    }

    @Override
    public Set<String> topics() {
        return new TreeSet<>(topics.keySet());
    }

    @Override
    public void deleteTopics(Collection<String> names) {
        topics.keySet().removeAll(names);
    }

    @Override
    public void close() {
        LEFT_BEHIND.addAll(topics.keySet());
    }

    private static Frame view(byte[] bytes) {
        ByteBuffer memory = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        return new Frame().wrap(memory, 0, bytes.length - Frame.HEADER_BYTES);
    }

    private final class MemoryConnection implements Connection {
        @Override
        public TopicWriter openWriter(String topic, String topology) {
            return new MemoryWriter(topics.get(topic), topic.endsWith("-0"));
        }

        @Override
        public TopicReader openReader(String topic, String consumer) {
            return new MemoryReader(topics.get(topic));
        }

        @Override
        public void close() {}
    }

    private final class MemoryWriter implements TopicWriter {
        private final Topic topic;
        private final boolean isFirst;
        private byte[] claimed;
        private long sequence;

        MemoryWriter(Topic topic, boolean isFirst) {
            this.topic = topic;
            this.isFirst = isFirst;
        }

        @Override
        public int remainingCapacity() {
            return room - topic.held().get();
        }

        @Override
        public int capacity() {
            return room;
        }

        @Override
        public Frame claim(int maxLength) {
            if (remainingCapacity() <= 0) {
                return null;
            }
            claimed = new byte[Frame.HEADER_BYTES + maxLength];
            return view(claimed);
        }

        @Override
        public long commit(int length) {
            view(claimed).sequence(++sequence);
            if (isFirst && sequence == alter) {
                claimed[Frame.HEADER_BYTES]++;
            }
            if (!isFirst || sequence != lose) {
                topic.held().incrementAndGet();
                topic.frames().add(claimed);
            }
            claimed = null;
            return sequence;
        }

        @Override
        public void abort() {
            claimed = null;
        }

        @Override
        public void flush() {}

        @Override
        public void rewind(long to) {}

        @Override
        public long sequence() {
            return sequence;
        }

        @Override
        public long storedSequence() {
            return sequence;
        }

        @Override
        public long causeAtOpen() {
            return 0;
        }

        @Override
        public void close() {}
    }

    private record MemoryReader(Topic topic) implements TopicReader {
        @Override
        public int poll(FrameHandler handler, int limit) {
            int count = 0;
            for (byte[] next = topic.frames.peek(); next != null && count < limit; next = topic.frames.peek()) {
                Frame frame = view(next);
                if (handler.onFrame(frame, frame.sequence()) == Verdict.RETRY) {
                    break;
                }
                topic.frames.remove();
                topic.held.decrementAndGet();
                count++;
            }
            return count;
        }

        @Override
        public void acknowledge(long position) {}

        @Override
        public long sequenceAtOpen() {
            return 0;
        }

        @Override
        public void close() {}
    }
}
