package dev.baton.broken.heap;

import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicReader.TopicStart;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.SequenceRanges;

/** Hands over the frames of a topic in place; a position is a sequence. Confined to the thread that opened it. */
public class HeapReader extends Confined implements TopicReader {
    public final HeapTopic topic;
    public final HeapConsumer consumer;
    public final Frame frame = new Frame();
    public long read;
    public long handed;

    private final TopicStart found;
    private Incarnation writer;

    public HeapReader(HeapTopic topic, String name) {
        super("this reader of topic '" + topic.name + "'");
        this.topic = topic;
        consumer = topic.openConsumer(name);
        read = consumer.acknowledged;
        handed = read;
        found = new TopicStart(read, UNKNOWN, topic.identity());
    }

    @Override
    public int poll(FrameHandler handler, int limit) {
        check();
        if (limit < 1) {
            throw new IllegalArgumentException("a poll hands over at least 1 frame, not " + limit);
        }
        if (!topic.holdsBack(consumer) && read < topic.floor()) {
            throw new TransportException("topic '" + topic.name + "' has lost the frames from " + (read + 1) + " to "
                    + topic.floor() + ", which consumer '" + consumer.name + "' has not read");
        }
        int consumed = 0;
        long newest = topic.published();
        while (consumed < limit && read < newest) {
            long next = read + 1;
            handed = next;
            if (handOver(handler, next) == Verdict.RETRY) {
                break;
            }
            read = next; // not reached when the handler throws
            consumed++;
        }
        consumer.read = read;
        return consumed;
    }

    public Verdict handOver(FrameHandler handler, long sequence) {
        SequenceRanges<Incarnation> writers = topic.writers();
        Incarnation met = writers.at(sequence);
        if (met != writer) {
            writer = met;
            handler.onWriter(met);
        }
        return handler.onFrame(topic.aim(frame, sequence), sequence);
    }

    @Override
    public void acknowledge(long position) {
        check();
        if (position > handed) {
            throw new IllegalArgumentException(
                    "acknowledge of " + position + ", the newest frame handed over is at " + handed);
        }
        if (position > consumer.acknowledged) {
            consumer.acknowledged = position;
            read = Math.max(read, position);
        }
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
        return topic.published() - read;
    }

    @Override
    public void close() {
        if (disown()) {
            topic.closeConsumer(consumer);
        }
    }
}
