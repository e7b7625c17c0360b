package dev.baton.lab.study.selftest;

import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Writes a faulty topic. Faults happen when frames are handed over, so that everything before follows the contract; a
 * frame that is lost then has never had a sequence. Confined to its loop.
 */
final class FaultyWriter implements TopicWriter {
    private final FaultyTopic topic;
    private final Deque<byte[]> committed = new ArrayDeque<>(); // not handed over yet
    private byte[] claimed;

    FaultyWriter(FaultyTopic topic) {
        this.topic = topic;
    }

    @Override
    public int remainingCapacity() {
        return Math.max(0, topic.remainingCapacity() - committed.size());
    }

    @Override
    public int capacity() {
        return FaultyTopic.CAPACITY;
    }

    @Override
    public Frame claim(int maxLength) {
        if (maxLength < 0 || maxLength > FaultyTransport.MOST_PAYLOAD) {
            throw new IllegalArgumentException(
                    "claim of " + maxLength + " bytes; 0 to " + FaultyTransport.MOST_PAYLOAD + " are allowed");
        }
        if (claimed != null) {
            throw new IllegalStateException("commit or abort the open claim first");
        }
        if (remainingCapacity() == 0) {
            return null;
        }
        claimed = new byte[Frame.HEADER_BYTES + maxLength];
        return FaultyTopic.view(claimed);
    }

    @Override
    public long commit(int length) {
        if (claimed == null) {
            throw new IllegalStateException("there is no open claim to commit");
        }
        int size = Frame.HEADER_BYTES + length;
        committed.add(size == claimed.length ? claimed : Arrays.copyOf(claimed, size));
        claimed = null;
        return sequence();
    }

    @Override
    public void abort() {
        claimed = null;
    }

    @Override
    public void flush() {
        for (byte[] each = committed.poll(); each != null; each = committed.poll()) {
            topic.put(each);
        }
    }

    @Override
    public void rewind(long to) {
        while (sequence() > to && !committed.isEmpty()) {
            committed.removeLast();
        }
    }

    @Override
    public long sequence() {
        return topic.written() + committed.size();
    }

    @Override
    public long storedSequence() {
        return topic.written();
    }

    @Override
    public long causeAtOpen() {
        return 0;
    }

    @Override
    public void close() {
        abort();
        flush();
    }
}
