package dev.baton.benchmark.chaos;

import dev.baton.spi.DamagedTopicException;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import java.util.BitSet;

/**
 * Reads a topic of numbered messages from its oldest frame to its end, and accounts for each of them: one bit of memory
 * per message. Confined to one thread.
 */
final class TopicAudit implements FrameHandler {
    private static final int BATCH = 4096;

    private final String topic;
    private final int hops;
    private final long seed;
    private final BitSet seen = new BitSet();
    private long frames;
    private long highest;
    private long sequence;
    private long duplicated;
    private long reordered;
    private long altered;
    private long gaps;
    private long damaged;
    private String finding;

    private TopicAudit(String topic, int hops, long seed) {
        this.topic = topic;
        this.hops = hops;
        this.seed = seed;
    }

    /**
     * Reads all that the topic holds now. May block.
     *
     * @param hops services before it
     * @param seed of the payloads
     * @throws dev.baton.spi.TransportException when it cannot be read
     */
    static TopicAccount of(Transport transport, String topic, int hops, long seed) {
        TopicAudit audit = new TopicAudit(topic, hops, seed);
        try (TopicInspector inspector = transport.inspect(topic)) {
            audit.readAll(inspector);
        }
        return audit.account();
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
        NumberedMessage.Words words = frame::getLong;
        boolean isSound = frame.isPlain() || frame.unseal() == null;
        if (!isSound || !NumberedMessage.isWhole(words, frame.length(), seed) || frame.hops() != hops) {
            altered++;
            find("sequence " + frame.sequence() + " is not the message that was sent");
            return Verdict.DONE;
        }
        account(NumberedMessage.number(words));
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
        long missing = highest - seen.cardinality();
        if (missing > 0) {
            find("message " + seen.nextClearBit(1) + " is missing");
        }
        return new TopicAccount(
                topic, frames, highest, missing, duplicated, reordered, altered, gaps, damaged, finding);
    }
}
