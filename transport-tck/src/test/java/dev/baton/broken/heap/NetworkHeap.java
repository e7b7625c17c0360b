package dev.baton.broken.heap;

import dev.baton.spi.Connection;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Guarantee;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.NetworkFault;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Set;

/**
 * Kept memory behind a network: a writer's batches are sent by the turns of its connection, are stored whole or not at all, and
 * get lost with their link. Thread-safe.
 */
public class NetworkHeap extends DurableHeap {
    public final HeapServer server;

    public NetworkHeap(HeapServer server) {
        super(server.topics);
        this.server = server;
    }

    @Override
    public Set<Guarantee> guarantees() {
        return Set.of(Guarantee.DURABLE, Guarantee.EXCLUSIVE, Guarantee.CROSS_PROCESS, Guarantee.CROSS_HOST);
    }

    @Override
    public Connection connect() { // no lock during a call that may block
        server.ask("connect");
        return super.connect();
    }

    @Override
    public Set<String> createTopics(Collection<String> names) {
        server.ask("createTopics");
        synchronized (server.topics) {
            return super.createTopics(names);
        }
    }

    @Override
    public Set<String> topics() {
        server.ask("topics");
        synchronized (server.topics) {
            return super.topics();
        }
    }

    @Override
    public void deleteTopics(Collection<String> names) {
        server.ask("deleteTopics");
        synchronized (server.topics) {
            super.deleteTopics(names);
        }
    }

    @Override
    public boolean forgetConsumer(String topic, String consumer) {
        server.ask("forgetConsumer");
        return super.forgetConsumer(topic, consumer);
    }

    @Override
    public TopicInspector inspect(String name) {
        server.ask("inspect");
        return super.inspect(name);
    }

    @Override
    public HeapInspector newInspector(HeapTopic topic) {
        HeapInspector inspector = super.newInspector(topic);
        inspector.read = topic.raiseFloor(); // what is acknowledged is gone
        return inspector;
    }

    @Override
    public HeapTopic topic(String name) {
        synchronized (server.topics) {
            return super.topic(name);
        }
    }

    @Override
    public Link newConnection() {
        return new Link(this);
    }

    @Override
    public HeapTopic newTopic(String name) {
        return new Topic(name);
    }

    @Override
    public HeapWriter newWriter(HeapTopic topic, String topology) {
        return new Writer(server, topic, topology);
    }

    @Override
    public HeapReader newReader(HeapTopic topic, String consumer) {
        return new Reader(server, topic, consumer);
    }

    /** A topic of which frames may be removed though they are unread. Thread-safe as its superclass is. */
    public static class Topic extends HeapTopic {
        private volatile long removed;

        public Topic(String name) {
            super(name);
        }

        @Override
        public long start() {
            return raiseFloor();
        }

        public synchronized void remove(long upTo) {
            removed = Math.max(removed, upTo);
            floor = Math.max(floor, upTo);
        }

        /** The newest sequence that was removed. */
        public long removed() {
            return removed;
        }
    }

    /** A connection over one link. Confined to the thread that connected. */
    public static class Link extends HeapConnection {
        public final HeapServer server;
        public final HeapServer.Link link;

        private long seen; // changes of the server at the last turn

        public Link(NetworkHeap transport) {
            super(transport);
            server = transport.server;
            link = server.connect();
        }

        private <T extends Confined> T linked(T made) {
            if (made instanceof Writer writer) {
                writer.link = link;
            } else if (made instanceof Reader reader) {
                reader.link = link;
            }
            return made;
        }

        private void ask(String what) {
            check();
            link.check();
            server.ask(what);
        }

        @Override
        public TopicWriter openWriter(String topic, String topology) {
            ask("openWriter");
            return (TopicWriter) linked((HeapWriter) super.openWriter(topic, topology));
        }

        @Override
        public TopicReader openReader(String topic, String consumer, StartPosition from) {
            ask("openReader");
            return (TopicReader) linked((HeapReader) super.openReader(topic, consumer, from));
        }

        @Override
        public int doWork() {
            check();
            link.check();
            seen = server.changes();
            int work = 0;
            for (Confined each : opened) {
                work += each instanceof Writer writer ? writer.send() : 0;
            }
            return work;
        }

        @Override
        public void await(long nanos) {
            check();
            server.await(seen, nanos);
        }

        @Override
        public void close() {
            if (!disown()) {
                return;
            }
            TransportException first = null;
            for (Confined each : opened) {
                try {
                    each.close();
                } catch (TransportException failed) {
                    first = first == null ? failed : first;
                }
            }
            if (first != null) {
                throw first;
            }
        }
    }

    /** Stages frames, and sends them batch by batch. Confined to the thread that opened it. */
    public static class Writer extends HeapWriter {
        public final HeapServer server;
        public final Deque<Long> batches = new ArrayDeque<>(); // the last sequence of each that is not stored

        public HeapServer.Link link;
        public long stored;
        private TransportException failure;
        private long unansweredSince;

        public Writer(HeapServer server, HeapTopic topic, String topology) {
            super(topic, new HeapTopic(topic.name), topology);
            this.server = server;
            stored = published;
        }

        @Override
        public void check() {
            super.check();
            if (failure != null) {
                throw failure;
            }
            link.check();
        }

        @Override
        public void publish() {
            if (published != committed) {
                batches.add(committed);
                published = committed;
            }
        }

        /** Sends what was flushed, and returns a work count. */
        public int send() {
            if (failure != null || batches.isEmpty()) {
                return 0;
            }
            if (server.has(NetworkFault.STALLED_SERVER)) {
                return unanswered();
            }
            unansweredSince = 0;
            if (server.has(NetworkFault.REFUSED_WRITES)) {
                throw fail("the memory server refuses writes");
            }
            int work = batches.size();
            batches.forEach(this::store);
            batches.clear();
            return work;
        }

        private int unanswered() {
            if (unansweredSince == 0) {
                unansweredSince = System.nanoTime();
            } else if (System.nanoTime() - unansweredSince > HeapServer.TIMEOUT_NANOS) {
                throw fail("the memory server has not answered");
            }
            return 0;
        }

        public TransportException fail(String why) {
            failure =
                    new TransportException("topic '" + topic.name + "': frames after " + stored + " are lost: " + why);
            batches.clear();
            return failure;
        }

        /** Stores the frames up to a sequence. */
        public void store(long last) {
            for (long sequence = stored + 1; sequence <= last; sequence++) {
                topic.copy(slots, sequence);
            }
            topic.publish(last);
            stored = last;
            server.changed();
        }

        @Override
        public long storedSequence() {
            return stored;
        }

        @Override
        public boolean isWhole() {
            return true;
        }

        @Override
        public void close() {
            if (disown()) {
                try {
                    claimed = NONE;
                    drain();
                } finally {
                    topic.closeWriter();
                }
            }
        }

        private void drain() {
            if (failure != null) {
                return; // which was reported
            }
            publish();
            if (!batches.isEmpty()) {
                if (link.isBroken()) {
                    throw fail("the link is broken");
                }
                server.ask("topic '" + topic.name + "': frames after " + stored + " are lost");
                send();
            }
        }
    }

    /** A reader that gets nothing while the server is stalled. Confined to the thread that opened it. */
    public static class Reader extends HeapReader {
        public final HeapServer server;
        public HeapServer.Link link;

        public Reader(HeapServer server, HeapTopic topic, String name) {
            super(topic, name);
            this.server = server;
        }

        @Override
        public void check() {
            super.check();
            link.check();
        }

        @Override
        public int poll(FrameHandler handler, int limit) {
            check();
            return server.has(NetworkFault.STALLED_SERVER) && limit > 0 ? 0 : super.poll(handler, limit);
        }

        @Override
        public Verdict handOver(FrameHandler handler, long sequence) {
            requireKept(sequence);
            return super.handOver(handler, sequence);
        }

        public void requireKept(long sequence) {
            if (sequence <= ((Topic) topic).removed()) {
                throw new TransportException("topic '" + topic.name + "': frame " + sequence
                        + " was removed before consumer '" + consumer.name + "' had read it");
            }
        }

        @Override
        public void acknowledge(long position) {
            check();
            if (position > handed || !server.has(NetworkFault.STALLED_SERVER)) {
                super.acknowledge(position);
            } else {
                read = Math.max(read, position); // the next one is for this one as well
            }
        }
    }
}
