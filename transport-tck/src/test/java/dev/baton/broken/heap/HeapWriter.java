package dev.baton.broken.heap;

import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.TopicWriter.ConsumerLag;

/** Writes into the slots of a topic. Confined to the thread that opened it. */
public class HeapWriter extends Confined implements TopicWriter {
    public static final int NONE = -1;

    public final HeapTopic topic;
    public final HeapTopic slots; // that frames are written into before their flush
    public final Frame frame = new Frame();
    public long published;
    public long committed;
    public int claimed = NONE;

    private final Incarnation incarnation;
    private final TopicEnd found;

    public HeapWriter(HeapTopic topic, String topology) {
        this(topic, topic, topology);
    }

    /** With slots of its own in place of the topic's. */
    @SuppressWarnings("this-escape") // planted defects override isWhole(), which reads no field of theirs
    public HeapWriter(HeapTopic topic, HeapTopic slots, String topology) {
        super("this writer of topic '" + topic.name + "'");
        this.topic = topic;
        this.slots = slots;
        published = topic.published();
        committed = published;
        found = TopicEnd.at(
                published == 0 ? null : topic.aim(frame, published),
                isWhole(),
                topic.writers().at(published),
                topic.inputOf(published));
        incarnation = topic.openWriter(topology);
    }

    /** Throws if a newer writer was opened. */
    public void requireNewest() {}

    @Override
    public int remainingCapacity() {
        check();
        return (int) (topic.raiseFloor() + HeapTopic.SLOTS - committed);
    }

    @Override
    public ConsumerLag slowestConsumer() {
        check();
        return topic.slowestConsumer();
    }

    @Override
    public int capacity() {
        return HeapTopic.SLOTS;
    }

    @Override
    public Frame claim(int maxLength) {
        check();
        if (maxLength < 0 || maxLength > HeapTransport.MAX_PAYLOAD) {
            throw new IllegalArgumentException("claim of " + maxLength + " bytes; 0 to " + HeapTransport.MAX_PAYLOAD
                    + " are allowed, option " + HeapProvider.MAX_PAYLOAD + " sets the most");
        }
        requireNoClaim();
        if (committed == topic.raiseFloor() + HeapTopic.SLOTS) {
            return null;
        }
        claimed = maxLength;
        return slots.aim(frame, committed + 1, maxLength);
    }

    @Override
    public long commit(int length) {
        check();
        if (claimed == NONE) {
            throw new IllegalStateException("there is no open claim to commit");
        }
        if (length < 0 || length > claimed) {
            throw new IllegalArgumentException("commit of " + length + " bytes; 0 to " + claimed + " are allowed");
        }
        committed++;
        slots.length(committed, length);
        frame.sequence(committed);
        claimed = NONE;
        return committed;
    }

    @Override
    public void abort() {
        check();
        claimed = NONE;
    }

    @Override
    public void flush() {
        check();
        requireNoClaim();
        publish();
    }

    public void publish() {
        if (published != committed) {
            topic.publish(committed);
            published = committed;
        }
    }

    @Override
    public void rewind(long sequence) {
        check();
        if (sequence < published || sequence > committed) {
            throw new IllegalArgumentException(
                    "rewind to " + sequence + "; " + published + " to " + committed + " are allowed");
        }
        requireNoClaim();
        committed = sequence;
        topic.rewound(sequence + 1);
    }

    public void requireNoClaim() {
        if (claimed != NONE) {
            throw new IllegalStateException("commit or abort the open claim first");
        }
    }

    @Override
    public long sequence() {
        return committed;
    }

    @Override
    public long storedSequence() {
        return published;
    }

    @Override
    public TopicEnd found() {
        return found;
    }

    /** Returns whether a flush is stored completely or not at all. */
    public boolean isWhole() {
        return false;
    }

    @Override
    public void answers(InputRef input) {
        topic.answers(committed + 1, input);
    }

    @Override
    public Incarnation incarnation() {
        return incarnation;
    }

    @Override
    public void close() {
        if (disown()) {
            claimed = NONE;
            publish();
            topic.closeWriter();
        }
    }
}
