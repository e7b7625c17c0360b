package dev.baton.lab.study.chaos;

import dev.baton.operations.service.SumOfNumbers;
import dev.baton.spi.Frame;
import java.util.BitSet;

/**
 * What a topic of the chain has to hold. Immutable, thread-safe as long as nobody changes the numbers.
 *
 * @param index of the topic: the services before it
 * @param summing the service that sends one sum for several messages; topics behind it hold these
 * @param seed of the payloads
 * @param deleted numbers that were deleted, in this topic or on their way to it
 * @param mostPartial groups that may be smaller than the others: one for each time that the service was ended in order
 */
record TopicExpectation(int index, int summing, long seed, BitSet deleted, int mostPartial) {
    /** What a service sends when it is closed begins its way there. */
    private static final int HOPS_OF_LAST_WORD = 1;

    /** A topic of single messages, none deleted. */
    static TopicExpectation plain(int index, long seed) {
        return new TopicExpectation(index, index + 1, seed, new BitSet(), 0);
    }

    private boolean isSummed() {
        return index >= summing;
    }

    /** Whether this is a message as it was sent, or the sum of such. */
    boolean isWhole(Frame frame) {
        if (!isSummed()) {
            return frame.servicesPassed() == index && NumberedMessage.isWhole(frame::getLong, frame.length(), seed);
        }
        return SumOfNumbers.isWhole(frame::getLong, frame.length())
                && isSumOfAll(frame)
                && frame.servicesPassed() == (isPartial(frame) ? index - summing + HOPS_OF_LAST_WORD : index);
    }

    /** The first number that a whole frame stands for. */
    long first(Frame frame) {
        return isSummed() ? SumOfNumbers.first(frame::getLong) : NumberedMessage.number(frame::getLong);
    }

    /** Whether it is the sum of fewer messages than usual. */
    boolean isPartial(Frame frame) {
        return isSummed() && SumOfNumbers.count(frame::getLong) < SumOfNumbers.INPUTS;
    }

    /** Whether it stands for all numbers from its first to its last, but for those that were deleted. */
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

    /** Whether a number need not be there. */
    boolean isDeleted(long number) {
        return deleted.get((int) number);
    }
}
