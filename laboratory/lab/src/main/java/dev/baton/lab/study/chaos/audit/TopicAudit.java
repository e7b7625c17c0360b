package dev.baton.lab.study.chaos.audit;

import dev.baton.Merge;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.DamagedTopicException;
import java.util.BitSet;

/**
 * Reads a topic of numbered messages, of sums of them, or of results of a window, from its oldest frame to its end, and accounts for each number:
 * one bit of memory per message. Confined to one thread.
 */
public final class TopicAudit implements FrameHandler {
    private static final int BATCH = 4096;

    private final String topic;
    private final Expectation expected;
    private final Passage passage; // null: all that the topic holds
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

    private TopicAudit(String topic, Expectation expected, Passage passage) {
        this.topic = topic;
        this.expected = expected;
        this.passage = passage;
    }

    /**
     * Reads all that the topic holds now. May block.
     *
     * @throws dev.baton.spi.errors.TransportException when it cannot be read
     */
    public static Account.Topic of(Transport transport, String topic, Expectation expected) {
        return read(transport, topic, expected, null).account();
    }

    /** Audits the messages that came into the topic over one edge. Gaps and damage are those of the whole topic. */
    public static Account.Edge of(Transport transport, String topic, Expectation expected, Passage passage) {
        Account.Topic account = read(transport, topic, expected, passage).account();
        return new Account.Edge(passage.from(), account, passage.behind(account.highest()));
    }

    /** The numbers that the topic holds now. May block. */
    public static BitSet numbers(Transport transport, String topic, Expectation expected) {
        return read(transport, topic, expected, null).seen;
    }

    private static TopicAudit read(Transport transport, String topic, Expectation expected, Passage passage) {
        TopicAudit audit = new TopicAudit(topic, expected, passage);
        try (TopicInspector inspector = transport.inspect(topic)) {
            audit.readAll(inspector);
        }
        audit.addLetters();
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
        if (frame.sequence() != sequence + 1) {
            gaps++;
            find("sequence " + frame.sequence() + " follows " + sequence);
        }
        sequence = frame.sequence();
        boolean isSound = frame.isPlain() || frame.validate() == null;
        if (isSound && passage != null && passage.isKnown(frame) && !passage.brought(frame)) {
            return Verdict.DONE;
        }
        frames++;
        if (!isSound || passage != null && !passage.isKnown(frame)) {
            altered++;
            find("sequence " + frame.sequence() + " is not the message that was sent");
            return Verdict.DONE;
        }
        if (!expected.isWhole(frame)) {
            altered++;
            find(expected.fault(frame));
            if (!expected.isKnown(frame)) {
                return Verdict.DONE;
            }
        }
        long last = expected.number(frame);
        partial += expected.isPartial(frame) ? 1 : 0;
        for (long number = expected.first(frame); number <= last; number++) {
            if (number == last || !expected.isDeleted(number)) {
                account(number);
            }
        }
        return Verdict.DONE;
    }

    /** Adds the dead letters of the service: outputs and letters together are the sent messages. */
    private void addLetters() {
        seen.or(expected.letters());
        while (expected.letters().get((int) highest + 1)) {
            highest++;
        }
    }

    private void account(long number) {
        if (number < 1 || number > Integer.MAX_VALUE) {
            throw new IllegalStateException("message number " + number + "; 1 to " + Integer.MAX_VALUE
                    + " can be accounted for in one life of a chain");
        }
        int bit = (int) number;
        if (passage != null && !passage.numbers().get(bit)) {
            altered++;
            find("message " + number + " at sequence " + sequence + " is none that passes from topic "
                    + passage.from());
        }
        if (expected.letters().get(bit)) {
            duplicated++;
            find(expected.name(number) + " is at sequence " + sequence + " and among the dead letters");
        }
        if (seen.get(bit)) {
            duplicated++;
            find(expected.name(number) + " is there again at sequence " + sequence);
        } else if (number < highest) {
            reordered++;
            find(expected.name(number) + " follows " + expected.of(highest) + " at sequence " + sequence);
        }
        seen.set(bit);
        highest = Math.max(highest, number);
    }

    private void find(String what) {
        finding = finding == null ? what : finding;
    }

    private Account.Topic account() {
        BitSet missed = new BitSet();
        missed.set(1, (int) highest + 1);
        if (passage != null) {
            missed.and(passage.numbers());
        }
        missed.andNot(seen);
        missed.andNot(expected.deleted());
        long missing = missed.cardinality();
        if (missing > 0) {
            find(expected.name(missed.nextSetBit(1)) + " is missing");
        }
        if (partial > expected.mostPartial()) {
            find(partial + " groups are not whole, though the service that sums was ended in order "
                    + expected.mostPartial() + " times");
        }
        return new Account.Topic(
                topic, frames, highest, missing, duplicated, reordered, altered, gaps, damaged, finding);
    }

    /**
     * The expected content of a topic of the chain. Immutable, thread-safe as long as the numbers are not changed.
     *
     * @param index of the topic: the services before it
     * @param summing the service that sends one sum for several messages; later topics contain sums
     * @param deleted numbers that were deleted, in this topic or on their way to it
     * @param letters numbers of messages for which a service before this topic wrote dead letters
     * @param mostPartial groups that may be smaller than the others: one for each orderly end of the service
     * @param slots of the messages of a provided chain, which identify them; null: messages contain their numbers
     * @param results that a window has to send there; null: it sends none there
     */
    public record Expectation(
            int index,
            int summing,
            long seed,
            BitSet deleted,
            BitSet letters,
            int mostPartial,
            ProvidedNumbers.Slots slots,
            WindowResults results) {
        private static final int HOPS_OF_LAST_WORD = 1; // what a service sends when it is closed begins its way there

        public Expectation(int index, int summing, long seed, BitSet deleted, BitSet letters, int mostPartial) {
            this(index, summing, seed, deleted, letters, mostPartial, null, null);
        }

        public static Expectation of(WindowResults results) {
            return new Expectation(0, Integer.MAX_VALUE, 0, new BitSet(), new BitSet(), 0, null, results);
        }

        /** Returns the expectation for messages of a provided chain. @param filtered numbers that have no output */
        public static Expectation of(ProvidedNumbers.Slots slots, int index, BitSet filtered) {
            return new Expectation(index, Integer.MAX_VALUE, 0, filtered, new BitSet(), 0, slots, null);
        }

        /** Returns the expectation one service further on, which forwards. */
        public Expectation further() {
            return new Expectation(index + 1, summing, seed, deleted, letters, mostPartial, slots, results);
        }

        private boolean isSummed() {
            return index >= summing;
        }

        /** {@return whether this is a message as it was sent, or the sum of such} */
        public boolean isWhole(Frame frame) {
            if (results != null) {
                return results.isWhole(frame);
            }
            if (slots != null) { // the receiver checks what comes out
                return frame.servicesPassed() == index && number(frame) > 0;
            }
            if (!isSummed()) {
                return frame.servicesPassed() == index && NumberedMessage.isWhole(frame::getLong, frame.length(), seed);
            }
            return SumOfNumbers.isWhole(frame::getLong, frame.length())
                    && isSumOfAll(frame)
                    && frame.servicesPassed() == (isPartial(frame) ? index - summing + HOPS_OF_LAST_WORD : index);
        }

        /** Describes the fault of a frame that is not intact. */
        String fault(Frame frame) {
            return results == null
                    ? "sequence " + frame.sequence() + " is not the message that was sent"
                    : results.fault(frame);
        }

        /** {@return whether the number of a damaged frame is known} */
        public boolean isKnown(Frame frame) {
            return results != null && results.number(frame) > 0;
        }

        /** Returns the text for a number. */
        String name(long number) {
            return results == null ? "message " + number : WindowResults.name(number);
        }

        /** Returns the text for a number after another text. */
        private String of(long number) {
            return results == null ? Long.toString(number) : WindowResults.name(number);
        }

        /** The first number that a whole frame stands for. */
        public long first(Frame frame) {
            return isSummed() ? SumOfNumbers.first(frame::getLong) : number(frame);
        }

        /** The last number that a whole frame stands for. */
        public long number(Frame frame) {
            if (results != null) {
                return results.number(frame);
            }
            return slots == null ? NumberedMessage.number(frame::getLong) : slots.number(frame.originNanos());
        }

        /** {@return whether it is the sum of fewer messages than usual} */
        public boolean isPartial(Frame frame) {
            return isSummed() && SumOfNumbers.count(frame::getLong) < SumOfNumbers.INPUTS;
        }

        /** {@return whether it is the sum of all numbers from its first to its last, except deleted ones} */
        private boolean isSumOfAll(Frame frame) {
            long last = NumberedMessage.number(frame::getLong);
            long sum = 0;
            long count = 0;
            for (long number = first(frame); number <= last && count <= SumOfNumbers.INPUTS; number++) {
                if (!isDeleted(number)) {
                    sum += number;
                    count++;
                }
            }
            return sum == SumOfNumbers.sum(frame::getLong) && count == SumOfNumbers.count(frame::getLong);
        }

        public boolean isDeleted(long number) {
            return deleted.get((int) number) || letters.get((int) number);
        }
    }

    /**
     * An edge from one topic to another, and the messages that have to pass it. Immutable, thread-safe as long as the numbers are not
     * changed.
     *
     * @param from the topic that is read
     * @param numbers of the messages in it that have to pass; no others may
     * @param input its index among the inputs of the merge that writes the other topic; {@link #BRANCH}: not written by a merge
     * @param inputs of that merge
     */
    public record Passage(String from, BitSet numbers, int input, int inputs) {
        private static final int BRANCH = -1;

        /** Creates the edge to a topic with one input. */
        public static Passage ofBranch(String from, BitSet numbers) {
            return new Passage(from, numbers, BRANCH, 0);
        }

        /** Creates the edge to the topic of a merge. */
        public static Passage ofMerge(Merge merge, String from, BitSet numbers) {
            return new Passage(
                    from, numbers, merge.inputs().indexOf(from), merge.inputs().size());
        }

        /** {@return whether a frame of a merge names its input, and another frame names none} */
        public boolean isKnown(Frame frame) {
            int found = inputOf(frame);
            return input == BRANCH ? found == BRANCH : found >= 0 && found < inputs;
        }

        /** {@return whether the frame passed this edge} */
        public boolean brought(Frame frame) {
            return inputOf(frame) == input;
        }

        private static int inputOf(Frame frame) {
            int at = frame.field(Extension.MERGED);
            if (at == Extension.NONE || frame.fieldLength(at) == 0) {
                return BRANCH;
            }
            byte[] index = new byte[1];
            frame.getFieldBytes(at, index, 0, 1);
            return index[0] & 0xFF;
        }

        /** {@return the number of messages after this one} */
        public long behind(long number) {
            return numbers.get((int) number + 1, Math.max((int) number + 1, numbers.length()))
                    .cardinality();
        }
    }
}
