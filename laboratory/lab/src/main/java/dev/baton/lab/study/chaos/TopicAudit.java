package dev.baton.lab.study.chaos;

import dev.baton.spi.DamagedTopicException;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import java.util.BitSet;

/**
 * Reads a topic of numbered messages, or of sums of them, from its oldest frame to its end, and accounts for each number:
 * one bit of memory per message. Confined to one thread.
 */
final class TopicAudit implements FrameHandler {
    private static final int BATCH = 4096;

    private final String topic;
    private final TopicExpectation expected;
    private final BitSet seen = new BitSet();
    private long frames;
    private long highest;
    private long sequence;
    private long duplicated;
    private long reordered;
    private long altered;
    private long gaps;
    private long damaged;
    private long partial;
    private String finding;

    private TopicAudit(String topic, TopicExpectation expected) {
        this.topic = topic;
        this.expected = expected;
    }

    /**
     * Reads all that the topic holds now. May block.
     *
     * @throws dev.baton.spi.TransportException when it cannot be read
     */
    static TopicAccount of(Transport transport, String topic, TopicExpectation expected) {
        return read(transport, topic, expected).account();
    }

    /** The numbers that the topic holds now. May block. */
    static BitSet numbers(Transport transport, String topic, TopicExpectation expected) {
        return read(transport, topic, expected).seen;
    }

    private static TopicAudit read(Transport transport, String topic, TopicExpectation expected) {
        TopicAudit audit = new TopicAudit(topic, expected);
        try (TopicInspector inspector = transport.inspect(topic)) {
            audit.readAll(inspector);
        }
        return audit;
    }

    private void readAll(TopicInspector inspector) {
        boolean isMore = true;
        while (isMore) {
            try {
                isMore = inspector.read(this, BATCH) > 0;
            } catch (DamagedTopicException damage) {
                damaged++;
                find(damage.getMessage());
                isMore = !damage.isEnd();
            }
        }
    }

    @Override
    public Verdict onFrame(Frame frame, long position) {
        frames++;
        if (frame.sequence() != sequence + 1) {
            gaps++;
            find("sequence " + frame.sequence() + " follows " + sequence);
        }
        sequence = frame.sequence();
        boolean isSound = frame.isPlain() || frame.validate() == null;
        if (!isSound || !expected.isWhole(frame)) {
            altered++;
            find("sequence " + frame.sequence() + " is not the message that was sent");
            return Verdict.DONE;
        }
        long last = NumberedMessage.number(frame::getLong);
        partial += expected.isPartial(frame) ? 1 : 0;
        for (long number = expected.first(frame); number <= last; number++) {
            if (number == last || !expected.isDeleted(number)) {
                account(number);
            }
        }
        return Verdict.DONE;
    }

    private void account(long number) {
        if (number < 1 || number > Integer.MAX_VALUE) {
            throw new IllegalStateException("message number " + number + "; 1 to " + Integer.MAX_VALUE
                    + " can be accounted for in one life of a chain");
        }
        int bit = (int) number;
        if (seen.get(bit)) {
            duplicated++;
            find("message " + number + " is there again at sequence " + sequence);
        } else if (number < highest) {
            reordered++;
            find("message " + number + " follows " + highest + " at sequence " + sequence);
        }
        seen.set(bit);
        highest = Math.max(highest, number);
    }

    private void find(String what) {
        finding = finding == null ? what : finding;
    }

    private TopicAccount account() {
        BitSet missed = new BitSet();
        missed.set(1, (int) highest + 1);
        missed.andNot(seen);
        missed.andNot(expected.deleted());
        long missing = missed.cardinality();
        if (missing > 0) {
            find("message " + missed.nextSetBit(1) + " is missing");
        }
        if (partial > expected.mostPartial()) {
            find(partial + " groups are not whole, though the service that sums was ended in order "
                    + expected.mostPartial() + " times");
        }
        return new TopicAccount(
                topic, frames, highest, missing, duplicated, reordered, altered, gaps, damaged, finding);
    }
}
