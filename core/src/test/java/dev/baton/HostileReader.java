package dev.baton;

import dev.baton.spi.FrameHandler;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TransportException;

/** Reads a topic of a {@link HostileTransport}. */
final class HostileReader implements TopicReader {
    private final HostileTransport transport;
    private final String name;
    private final HostileTransport.Topic topic;
    private final String consumer;
    private final long newestAtOpen;
    private int next;
    private Incarnation writer;
    private boolean isOpen = true;

    HostileReader(HostileTransport transport, String name, String consumer) {
        this.transport = transport;
        this.name = name;
        this.topic = transport.topic(name);
        this.consumer = consumer;
        topic.acknowledged.putIfAbsent(consumer, 0L);
        next = Math.max(topic.removed, topic.acknowledged.get(consumer).intValue());
        newestAtOpen = topic.size();
    }

    @Override
    public int poll(FrameHandler handler, int limit) {
        int most = transport.withholdsFrames ? 0 : transport.cutsPollsToOne ? 1 : limit;
        int consumed = 0;
        while (consumed < most && next < topic.size()) {
            transport.duringPoll.run();
            Incarnation met = topic.writers.at(next + 1L);
            if (met != writer) {
                writer = met;
                handler.onWriter(met);
            }
            if (handler.onFrame(HostileTransport.view(topic.get(next)), next + 1L) == FrameHandler.Verdict.RETRY) {
                break;
            }
            next++;
            consumed++;
        }
        return consumed;
    }

    @Override
    public void acknowledge(long position) {
        transport.duringAcknowledge.run();
        topic.acknowledged.merge(consumer, position, Math::max);
    }

    @Override
    public TransportException failure() {
        return transport.endedReaders.get(name);
    }

    @Override
    public long identity() {
        return topic.identity;
    }

    @Override
    public Incarnation writer() {
        return writer;
    }

    @Override
    public long newestAtOpen() {
        return newestAtOpen;
    }

    @Override
    public long sequenceAtOpen() {
        return transport.knowsSequence ? topic.acknowledged.get(consumer) : UNKNOWN;
    }

    @Override
    public long backlog() {
        transport.backlogsAsked++;
        return transport.knowsBacklog ? topic.size() - next : UNKNOWN;
    }

    @Override
    public boolean tryClose() {
        if (!transport.mayClose.test(consumer)) {
            return false;
        }
        close();
        return true;
    }

    @Override
    public void close() {
        if (isOpen) {
            isOpen = false;
            transport.countReaders(-1);
        }
    }
}
