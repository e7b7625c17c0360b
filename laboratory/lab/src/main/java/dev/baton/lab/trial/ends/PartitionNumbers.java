package dev.baton.lab.trial.ends;

import java.util.function.LongSupplier;
import java.util.function.LongToIntFunction;

/**
 * The messages of one partition. Their numbers follow from the keys, which are drawn from the seed, so that neither sender nor message has
 * to say which one comes next in a partition: from one message to the next, the partition of each number between them is computed. That
 * takes some 20 ns for each, about as many as there are partitions, after the arrival was timed.
 *
 * <p>Its threads are those of its parent.
 */
final class PartitionNumbers implements MessageNumbers {
    private final LongToIntFunction partitionOf; // a number
    private final int partition;
    private final LongSupplier sent; // messages of the instance; one more may be on its way
    private long number = -1; // of the message at the index; -1: before the first
    private long index = -1;

    PartitionNumbers(LongToIntFunction partitionOf, int partition, LongSupplier sent) {
        this.partitionOf = partitionOf;
        this.partition = partition;
        this.sent = sent;
    }

    @Override
    public long number(long wanted) {
        if (index < wanted) {
            long end = sent.getAsLong() + 1;
            while (index < wanted && forward(end)) {
                // continues with the next one
            }
        }
        while (index > wanted) {
            back();
        }
        return Math.max(0, number);
    }

    @Override
    public long index(long wanted) {
        if (wanted < 0 || wanted > sent.getAsLong() || !contains(wanted)) {
            return -1;
        }
        while (number < wanted) {
            forward(wanted + 1);
        }
        while (number > wanted) {
            back();
        }
        return index;
    }

    @Override
    public boolean contains(long wanted) {
        return partitionOf.applyAsInt(wanted) == partition;
    }

    @Override
    public long countBelow(long end) {
        while (number >= end) {
            back();
        }
        while (forward(end)) {
            // continues with the next one
        }
        return index + 1;
    }

    /** Moves to the next message of the partition. @return false if there is none below the end */
    private boolean forward(long end) {
        for (long next = number + 1; next < end; next++) {
            if (contains(next)) {
                number = next;
                index++;
                return true;
            }
        }
        return false;
    }

    private void back() {
        do {
            number--;
        } while (number >= 0 && !contains(number));
        index--;
    }
}
