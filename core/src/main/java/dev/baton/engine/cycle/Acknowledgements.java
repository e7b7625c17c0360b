package dev.baton.engine.cycle;

import dev.baton.spi.TopicReader;

/**
 * The inputs that are not acknowledged yet, each with the outputs that have to be stored first, and the inputs that the service
 * holds.
 *
 * <p>Each entry states that the inputs up to a sequence, at a position, have led to the outputs up to a sequence. Entries are
 * added in order, one per batch, and removed in order as the transport's stored sequence passes them. This alone implements "an
 * input is acknowledged only after every output it caused is stored".
 *
 * <p>For a service that holds inputs, the positions of all unacknowledged inputs are kept, so that everything before the oldest
 * held one can be acknowledged. Bounded. Confined to its loop.
 */
public final class Acknowledgements {
    static final int CAPACITY = 256;

    private static final int FIRST_HELD = 64; // a power of two

    private final TopicReader reader;
    private long[] sequences; // created at the first entry: synchronous transports need none
    private long[] positions;
    private long[] outputs;
    private int first;
    private int size;
    private boolean isKept; // the caller acknowledges inputs

    private long[] held; // positions by sequence, in a ring of a power of two; null for a service that holds no inputs
    private long oldest; // sequence of the oldest input in the ring
    private long newest; // sequence of the newest one; less than the oldest if the ring is empty
    private long counted; // the oldest input that is not acknowledged, which a gap may have removed from the ring
    private long wanted = Long.MAX_VALUE; // the oldest input that the service holds
    private long[] needed; // the oldest held input at each entry

    public Acknowledgements(TopicReader reader) {
        this.reader = reader;
    }

    /** Leaves acknowledgements to the caller from now on. */
    void acknowledgeNothing() {
        isKept = true;
    }

    /** Limits acknowledgements to the inputs before {@link #holdFrom} from now on. */
    void holdInputs() {
        held = new long[FIRST_HELD];
        newest = -1;
    }

    boolean isFull() {
        return size == CAPACITY;
    }

    /** Returns whether all outputs of the consumed inputs are stored; inputs may still be held. */
    boolean isEmpty() {
        return size == 0;
    }

    /** Returns the number of inputs that are consumed and held, with those that were skipped between them. */
    long heldCount() {
        return held == null || newest < wanted ? 0 : newest - Math.max(wanted, counted) + 1;
    }

    /**
     * Holds this input and all later ones; inputs that were held before are released when the outputs sent so far are stored.
     */
    void holdFrom(long sequence) {
        wanted = sequence;
    }

    /** Returns the sequence of the oldest input that the service holds; {@link Long#MAX_VALUE} for none. */
    long heldFrom() {
        return wanted;
    }

    /** Stores the position of an input that was just consumed. Called for services that hold inputs. */
    void consumed(long sequence, long position) {
        if (newest < oldest) {
            oldest = sequence;
            counted = sequence;
        } else if (sequence != newest + 1) {
            oldest = sequence; // the first after a gap
        } else if (sequence - oldest == held.length) {
            grow();
        }
        newest = sequence;
        held[slot(sequence)] = position;
    }

    /** Adds an entry: the inputs up to {@code sequence} have led to the outputs up to {@code outputSequence}. */
    public void note(long sequence, long position, long outputSequence) {
        if (positions == null) {
            sequences = new long[CAPACITY];
            positions = new long[CAPACITY];
            outputs = new long[CAPACITY];
            needed = new long[CAPACITY];
        }
        int slot = first + size & CAPACITY - 1;
        sequences[slot] = sequence;
        positions[slot] = position;
        outputs[slot] = outputSequence;
        needed[slot] = wanted;
        size++;
    }

    /**
     * Acknowledges every input whose outputs are stored, as far as it is not held.
     *
     * @return number of entries removed
     */
    public int settle(long storedSequence) {
        int settled = 0;
        while (settled < size && outputs[first + settled & CAPACITY - 1] <= storedSequence) {
            settled++;
        }
        if (settled > 0) {
            int last = first + settled - 1 & CAPACITY - 1;
            first = first + settled & CAPACITY - 1;
            size -= settled;
            answered(sequences[last], positions[last], needed[last]);
        }
        return settled;
    }

    /** Acknowledges the inputs up to this one, whose outputs are stored, as far as they are not held. */
    void answered(long sequence, long position) {
        answered(sequence, position, wanted);
    }

    private void answered(long sequence, long position, long heldFrom) {
        if (held == null) {
            if (!isKept) {
                reader.acknowledge(position);
            }
            return;
        }
        long last = Math.min(sequence, heldFrom - 1);
        if (newest >= oldest && last >= oldest) {
            reader.acknowledge(held[slot(last)]);
            oldest = last + 1;
            counted = oldest;
        }
    }

    private void grow() {
        long[] larger = new long[held.length * 2];
        for (long sequence = oldest; sequence <= newest; sequence++) {
            larger[(int) sequence & larger.length - 1] = held[slot(sequence)];
        }
        held = larger;
    }

    private int slot(long sequence) {
        return (int) sequence & held.length - 1;
    }
}
