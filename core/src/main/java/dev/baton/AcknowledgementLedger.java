package dev.baton;

import dev.baton.spi.TopicReader;

/**
 * Which inputs may be acknowledged once which outputs are stored.
 *
 * <p>Each entry says: inputs up to this position have led to outputs up to this sequence. Entries are made in order, one
 * per batch, and leave in order as the transport's stored sequence passes them. That is the whole of "an input is
 * acknowledged only after every output it caused is stored". Bounded; confined to its loop.
 */
final class AcknowledgementLedger {
    static final int CAPACITY = 256;

    private final TopicReader reader;
    private long[] positions; // made at the first note: transports that store at once never need them
    private long[] outputs;
    private int first;
    private int size;

    AcknowledgementLedger(TopicReader reader) {
        this.reader = reader;
    }

    boolean isFull() {
        return size == CAPACITY;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Notes that the inputs up to {@code position} have led to the outputs up to {@code outputSequence}. */
    void note(long position, long outputSequence) {
        if (positions == null) {
            positions = new long[CAPACITY];
            outputs = new long[CAPACITY];
        }
        int slot = first + size & CAPACITY - 1;
        positions[slot] = position;
        outputs[slot] = outputSequence;
        size++;
    }

    /**
     * Acknowledges every input whose outputs are stored.
     *
     * @return entries settled
     */
    int settle(long storedSequence) {
        int settled = 0;
        while (settled < size && outputs[first + settled & CAPACITY - 1] <= storedSequence) {
            settled++;
        }
        if (settled > 0) {
            reader.acknowledge(positions[first + settled - 1 & CAPACITY - 1]);
            first = first + settled & CAPACITY - 1;
            size -= settled;
        }
        return settled;
    }
}
