package dev.baton.broken.heap;

import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Guarantee;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Kept memory in which the newest writer of a topic, and the newest reader of a consumer, takes the place of the one before, as
 * if each were of a process of its own. Thread-safe.
 */
public class RivalHeap extends DurableHeap {
    public RivalHeap(Map<String, HeapTopic> kept) {
        super(kept);
    }

    /** Makes transports that see each other's topics. */
    public static Supplier<HeapTransport> whole() {
        Map<String, HeapTopic> kept = new HashMap<>();
        return () -> new RivalHeap(kept);
    }

    /** Returns transports whose topics keep no frame that every consumer has acknowledged. */
    public static Supplier<HeapTransport> trimmed() {
        Map<String, HeapTopic> kept = new HashMap<>();
        return () -> new RivalHeap(kept) {
            @Override
            public HeapTopic newTopic(String name) {
                return new Topic(name) {
                    @Override
                    public synchronized long raiseFloor() {
                        return raiseToAcknowledged();
                    }
                };
            }

            @Override
            public HeapReader newReader(HeapTopic topic, String consumer) {
                return new Reader(topic, consumer) {
                    @Override
                    public Verdict handOver(FrameHandler handler, long sequence) {
                        topic.raiseFloor();
                        return super.handOver(handler, sequence);
                    }
                };
            }

            @Override
            public HeapInspector newInspector(HeapTopic topic) {
                HeapInspector inspector = super.newInspector(topic);
                inspector.read = topic.raiseFloor();
                return inspector;
            }
        };
    }

    @Override
    public Set<Guarantee> guarantees() {
        return Set.of(Guarantee.IMMEDIATE, Guarantee.DURABLE, Guarantee.CROSS_PROCESS);
    }

    @Override
    public HeapTopic newTopic(String name) {
        return new Topic(name);
    }

    @Override
    public HeapWriter newWriter(HeapTopic topic, String topology) {
        synchronized (topic) { // nobody publishes between the look at the newest frame and the takeover
            return rivalWriter(topic, topology);
        }
    }

    public Writer rivalWriter(HeapTopic topic, String topology) {
        return new Writer(topic, topology);
    }

    @Override
    public HeapReader newReader(HeapTopic topic, String consumer) {
        return new Reader(topic, consumer);
    }

    /**
     * A topic that lets rivals in, and keeps what was acknowledged for consumers to come until it is full. Thread-safe as its
     * superclass is.
     */
    public static class Topic extends HeapTopic {
        public Topic(String name) {
            super(name);
        }

        @Override
        public synchronized long raiseFloor() {
            return published() - floor < SLOTS ? floor : raiseToAcknowledged();
        }

        /** The floor of a topic that keeps nothing longer than needed. */
        public final synchronized long raiseToAcknowledged() {
            return super.raiseFloor();
        }

        @Override
        public boolean keepsWritersOut() {
            return false;
        }

        @Override
        public boolean keepsReadersOut() {
            return false;
        }
    }

    /**
     * A writer that learns at its next flush that a newer one was opened; stages its frames. Confined to the thread that
     * opened it.
     */
    public static class Writer extends HeapWriter {
        private boolean knows; // that it was replaced is known

        public Writer(HeapTopic topic, String topology) {
            super(topic, new HeapTopic(topic.name), topology);
        }

        public boolean isReplaced() {
            return topic.writers().newest() != incarnation();
        }

        public TransportException replaced() {
            return new ReplacedException(
                    topic.name, "topic '" + topic.name + "': a newer writer has taken the place of this one");
        }

        @Override
        public TransportException failure() {
            return isReplaced() ? replaced() : null;
        }

        @Override
        public void requireNewest() {
            if (isReplaced()) {
                throw replaced();
            }
        }

        @Override
        public void check() {
            super.check();
            if (knows) {
                throw replaced();
            }
        }

        @Override
        public void publish() {
            synchronized (topic) {
                if (!isReplaced()) {
                    store();
                }
            }
        }

        public void store() {
            for (long sequence = published + 1; sequence <= committed; sequence++) {
                topic.copy(slots, sequence);
            }
            super.publish();
        }

        @Override
        public void flush() {
            super.flush();
            knows = isReplaced();
            check();
        }
    }

    /**
     * A reader that learns at its next acknowledgement, or at a frame that is gone, that another one is the consumer. Confined to the
     * thread that opened it.
     */
    public static class Reader extends HeapReader {
        private boolean isReplaced; // known, and not told yet
        private boolean isTold;

        public Reader(HeapTopic topic, String name) {
            super(topic, name);
            consumer.reader = this;
        }

        public ReplacedException replaced() {
            isTold = true;
            return new ReplacedException(
                    topic.name,
                    "topic '" + topic.name + "': another reader of consumer '" + consumer.name
                            + "' has taken the place of this one");
        }

        @Override
        public TransportException failure() {
            return isReplaced ? replaced() : null;
        }

        @Override
        public int poll(FrameHandler handler, int limit) {
            check();
            if (isReplaced) {
                throw replaced();
            }
            return super.poll(handler, limit);
        }

        @Override
        public Verdict handOver(FrameHandler handler, long sequence) {
            synchronized (topic) { // nobody fills the slot meanwhile
                if (sequence <= topic.floor) {
                    throw replaced(); // by one that has acknowledged the frame
                }
                return super.handOver(handler, sequence);
            }
        }

        @Override
        public void acknowledge(long position) {
            check();
            if (consumer.reader == this) {
                super.acknowledge(position);
            } else {
                isReplaced = true;
            }
        }

        @Override
        public void close() {
            if (isOpen() && isReplaced && !isTold) {
                disown();
                throw replaced();
            }
            super.close();
        }
    }
}
