package dev.baton.broken.heap;

import dev.baton.spi.Incarnation;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.StorageFault;
import java.util.Map;

/** The durable transport in the heap whose storage can be damaged. Thread-safe. */
public class StoredHeap extends DurableHeap {
    /** With the topics that another one has left. */
    public StoredHeap(Map<String, HeapTopic> kept) {
        super(kept);
    }

    @Override
    public Topic newTopic(String name) {
        return new Topic(name);
    }

    @Override
    public Writer newWriter(HeapTopic topic, String topology) {
        return new Writer((Topic) topic, topology);
    }

    /** Damages a topic, or lets its syncs fail. */
    public void begin(StorageFault fault, String name) {
        ((Topic) topic(name)).begin(fault);
    }

    /** Lets all syncs succeed. */
    public void heal() {
        topics.values().forEach(topic -> ((Topic) topic).failsSyncs = false);
    }

    /** A topic that knows what was stored in it. Thread-safe. */
    public static class Topic extends HeapTopic {
        public boolean isPositionDamaged; // guarded by this
        public long recorded; // newest sequence that was stored; guarded by this
        volatile boolean failsSyncs;

        public Topic(String name) {
            super(name);
        }

        synchronized void begin(StorageFault fault) {
            switch (fault) {
                case DAMAGED_POSITION -> isPositionDamaged = true;
                case POSITION_AHEAD -> consumers.forEach(consumer -> consumer.acknowledged += SLOTS);
                case LOST_FRAMES -> super.publish(0);
                case FAILED_SYNCS -> failsSyncs = true;
            }
        }

        @Override
        public synchronized void publish(long sequence) {
            recorded = sequence;
            super.publish(sequence);
        }

        @Override
        public synchronized HeapConsumer openConsumer(String consumerName) {
            HeapConsumer consumer = super.openConsumer(consumerName);
            if (isPositionDamaged || consumer.acknowledged > published()) {
                consumer.hasReader = false;
                throw new DamagedTopicException(
                        "the position of consumer '" + consumerName + "' of topic '" + name + "' is damaged", true);
            }
            return consumer;
        }

        @Override
        public synchronized Incarnation openWriter(String topology) {
            requireWhole();
            return super.openWriter(topology);
        }

        /** Refuses a topic that is shorter than what was stored. */
        public void requireWhole() {
            if (published() < recorded) {
                throw new DamagedTopicException(
                        "topic '" + name + "' ends at sequence " + published() + ", but " + recorded + " was stored",
                        true);
            }
        }
    }

    /** A writer that ends with a sync that fails. Confined to the thread that opened it. */
    public static class Writer extends HeapWriter {
        public TransportException ended; // null while it works

        public Writer(Topic topic, String topology) {
            super(topic, topology);
        }

        @Override
        public void flush() {
            requireSynced();
            super.flush();
        }

        @Override
        public void publish() {
            if (ended == null) {
                super.publish();
            }
        }

        /** Throws if a sync fails or has failed. */
        public void requireSynced() {
            if (ended == null && ((Topic) topic).failsSyncs && published != committed) {
                ended = new TransportException("topic '" + topic.name + "' cannot be synced");
                committed = published;
            }
            if (ended != null) {
                throw ended;
            }
        }

        @Override
        public TransportException failure() {
            return ended;
        }
    }
}
