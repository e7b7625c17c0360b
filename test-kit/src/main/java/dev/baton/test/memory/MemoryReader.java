package dev.baton.test.memory;

import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicReader.TopicStart;
import dev.baton.spi.support.ThreadConfinement;

/** A consumer's reader of a topic in memory; a position is a sequence. Confined to the thread of its connection. */
final class MemoryReader extends ThreadConfinement implements TopicReader {
    private final MemoryConnection connection;
    private final MemoryProcess process;
    private final TransportFaults faults;
    private final MemoryTopic topic;
    private final MemoryTopic.Consumer consumer;
    private final TopicStart found;
    private final int positionsAtOpen;
    private final Frame frame = new Frame();
    private Incarnation writer;
    private volatile long read;
    private long handed;
    private boolean isPolling;

    MemoryReader(MemoryConnection connection, MemoryTopic topic, String name) {
        super("this reader of topic '" + topic.name + "'");
        this.connection = connection;
        this.process = connection.process;
        this.faults = process.faults;
        this.topic = topic;
        consumer = topic.occupy(this, name);
        positionsAtOpen = consumer.acknowledged.size();
        read = topic.position(consumer);
        found = new TopicStart(read, topic.size(), topic.identity);
        handed = read;
    }

    private void use(String what) {
        check();
        MemoryConnection.step(process, what);
    }

    @Override
    public int poll(FrameHandler handler, int limit) {
        use("poll");
        if (limit < 1) {
            throw new IllegalArgumentException("limit of " + limit + " frames; at least 1 is allowed");
        }
        isPolling = true;
        try {
            return handOver(handler, faults.polled(limit));
        } finally {
            isPolling = false;
        }
    }

    private int handOver(FrameHandler handler, int most) {
        int consumed = 0;
        int newest = topic.size();
        while (consumed < most && read < newest) {
            use("hand over");
            long next = read + 1;
            Incarnation met = topic.author(next);
            if (met != writer) {
                writer = met;
                handler.onWriter(met);
            }
            handed = next;
            if (handler.onFrame(MemoryTopic.view(frame, topic.frame(next)), next) == FrameHandler.Verdict.RETRY) {
                break;
            }
            read = next; // not reached when the handler throws
            consumed++;
        }
        return consumed;
    }

    @Override
    public void acknowledge(long position) {
        use("acknowledge");
        if (position > handed) {
            throw new IllegalArgumentException(
                    "acknowledge of " + position + ", the newest frame handed over is at " + handed);
        }
        topic.acknowledge(consumer, this, position);
        read = Math.max(read, position);
    }

    @Override
    public TopicStart found() {
        return found;
    }

    @Override
    public Incarnation writer() {
        return writer;
    }

    @Override
    public long backlog() {
        return topic.size() - read;
    }

    /** {@return whether frames wait for a poll; false while a poll is in progress} */
    boolean hasWaiting() {
        return !isPolling && topic.size() > read;
    }

    void killed() {
        int positions = consumer.acknowledged.size() - positionsAtOpen + 1; // including the position at the open
        topic.forget(consumer, positionsAtOpen + faults.remembered(positions));
        leave();
    }

    void leave() {
        topic.leave(consumer, this);
    }

    @Override
    public void close() {
        if (isHeld()) {
            check();
            end();
        }
    }

    void end() {
        if (release() && !process.isDead()) {
            topic.leave(consumer, this);
            connection.closed(this);
        }
    }
}
