package dev.baton.tck.broken;

import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Guarantee;
import dev.baton.spi.ReplacedException;
import dev.baton.spi.TransportException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Kept memory in which the newest writer of a topic, and the newest reader of a consumer, takes the place of the one before, as
 * if each were of a process of its own. Thread-safe.
 */
class RivalMemory extends KeptMemory {
    RivalMemory(Map<String, MemoryTopic> kept) {
        super(kept);
    }

    /** Makes transports that see each other's topics. */
    static Supplier<MemoryTransport> whole() {
        Map<String, MemoryTopic> kept = new HashMap<>();
        return () -> new RivalMemory(kept);
    }

    /** Returns transports whose topics keep no frame that every consumer has acknowledged. */
    static Supplier<MemoryTransport> trimmed() {
        Map<String, MemoryTopic> kept = new HashMap<>();
        return () -> new RivalMemory(kept) {
            @Override
            MemoryTopic newTopic(String name) {
                return new Topic(name) {
                    @Override
                    synchronized long raiseFloor() {
                        return raiseToAcknowledged();
                    }
                };
            }

            @Override
            MemoryReader newReader(MemoryTopic topic, String consumer) {
                return new Reader(topic, consumer) {
                    @Override
                    Verdict handOver(FrameHandler handler, long sequence) {
                        topic.raiseFloor();
                        return super.handOver(handler, sequence);
                    }
                };
            }

            @Override
            MemoryInspector newInspector(MemoryTopic topic) {
                MemoryInspector inspector = super.newInspector(topic);
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
    MemoryTopic newTopic(String name) {
        return new Topic(name);
    }

    @Override
    MemoryWriter newWriter(MemoryTopic topic, String topology) {
        synchronized (topic) { // nobody publishes between the look at the newest frame and the takeover
            return rivalWriter(topic, topology);
        }
    }

    Writer rivalWriter(MemoryTopic topic, String topology) {
        return new Writer(topic, topology);
    }

    @Override
    MemoryReader newReader(MemoryTopic topic, String consumer) {
        return new Reader(topic, consumer);
    }

    /**
     * A topic that lets rivals in, and keeps what was acknowledged for consumers to come until it is full. Thread-safe as its
     * superclass is.
     */
    static class Topic extends MemoryTopic {
        Topic(String name) {
            super(name);
        }

        @Override
        synchronized long raiseFloor() {
            return published() - floor < SLOTS ? floor : raiseToAcknowledged();
        }

        /** The floor of a topic that keeps nothing longer than needed. */
        final synchronized long raiseToAcknowledged() {
            return super.raiseFloor();
        }

        @Override
        boolean keepsWritersOut() {
            return false;
        }

        @Override
        boolean keepsReadersOut() {
            return false;
        }
    }

    /**
     * A writer that learns at its next flush that a newer one was opened; stages its frames. Confined to the thread that
     * opened it.
     */
    static class Writer extends MemoryWriter {
        private boolean knows; // that it was replaced is known

        Writer(MemoryTopic topic, String topology) {
            super(topic, new MemoryTopic(topic.name), topology);
        }

        boolean isReplaced() {
            return topic.writers().newest() != incarnation();
        }

        TransportException replaced() {
            return new ReplacedException(
                    topic.name, "topic '" + topic.name + "': a newer writer has taken the place of this one");
        }

        @Override
        public TransportException failure() {
            return isReplaced() ? replaced() : null;
        }

        @Override
        void check() {
            super.check();
            if (knows) {
                throw replaced();
            }
        }

        @Override
        void publish() {
            synchronized (topic) {
                if (!isReplaced()) {
                    store();
                }
            }
        }

        void store() {
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
    static class Reader extends MemoryReader {
        private boolean isReplaced; // known, and not told yet
        private boolean isTold;

        Reader(MemoryTopic topic, String name) {
            super(topic, name);
            consumer.reader = this;
        }

        ReplacedException replaced() {
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
        Verdict handOver(FrameHandler handler, long sequence) {
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
