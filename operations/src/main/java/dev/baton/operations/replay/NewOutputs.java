package dev.baton.operations.replay;

import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicInspector;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * The recorded topic between two services as it would be with the new outputs of the first one, for the second one. Each new output has
 * the sequence, the times and the writer of the recorded output in whose place it is, so that ticks and recorded outputs of the second
 * service can be assigned to it. An additional output has those of the output before it. Outputs are made when they are read. Confined to
 * the replay's thread.
 */
final class NewOutputs implements TopicInspector {
    private static final int NUMBERS_KEPT = 1 << 16; // more than a service leaves unanswered

    /** A new output, and the writer of its counterpart. */
    private record Output(Frame frame, Incarnation writer) {}

    private final Deque<Output> outputs = new ArrayDeque<>();
    private final long[] recorded = new long[NUMBERS_KEPT]; // sequences, by the number modulo the length
    private BooleanSupplier source;
    private Incarnation writer; // of the newest counterpart; null: not known
    private Incarnation announced; // to the reader
    private long first;
    private long last;
    private long lastSent;
    private long number; // of the newest output that was handed over
    private boolean isClosed;

    /** Sets what makes outputs: it returns false at its end. */
    void from(BooleanSupplier replay) {
        source = replay;
    }

    void onWriter(Incarnation counterpart) {
        writer = counterpart;
    }

    /** Adds an output in the place of a recorded one. */
    void add(Frame output, Frame counterpart) {
        pass(counterpart);
        put(output, counterpart.sequence(), counterpart.originNanos(), counterpart.sentNanos());
    }

    /** Adds an output that was not recorded, and precedes a recorded one. */
    void additional(Frame output, Frame next) {
        if (last == 0) {
            lastSent = next.sentNanos();
        }
        put(output, last == 0 ? next.sequence() : last, output.originNanos(), lastSent);
    }

    /** Skips a recorded output that the replay did not send. */
    void missing(Frame counterpart) {
        pass(counterpart);
    }

    private void pass(Frame counterpart) {
        first = first == 0 ? counterpart.sequence() : first;
        last = counterpart.sequence();
        lastSent = counterpart.sentNanos();
    }

    private void put(Frame output, long sequence, long originNanos, long sentNanos) {
        if (!isClosed) {
            output.stamp(output.servicesPassed(), output.type(), output.cause(), originNanos, sentNanos);
            output.sequence(sequence);
            outputs.add(new Output(output, writer));
        }
    }

    /** Returns the sequence of the first recorded output; 0 for none. */
    long first() {
        return first;
    }

    /** Returns the sequence of the last recorded output that was compared; 0 for none. */
    long last() {
        return last;
    }

    /** Returns the number under which the reader hands over the next output. */
    long number(long sequence) {
        long next = number == 0 ? sequence : number + 1;
        recorded[(int) (next % NUMBERS_KEPT)] = sequence;
        return next;
    }

    /** Returns the recorded sequence of an output that was handed over with a number; 0 for the number 0. */
    long recordedSequence(long handedOver) {
        return handedOver == 0 ? 0 : recorded[(int) (handedOver % NUMBERS_KEPT)];
    }

    @Override
    public int read(FrameHandler handler, int limit) {
        int read = 0;
        while (read < limit && (!outputs.isEmpty() || read == 0 && tryMake())) {
            Output next = outputs.peek();
            if (next.writer() != announced) {
                announced = next.writer();
                handler.onWriter(announced);
            }
            if (handler.onFrame(next.frame(), next.frame().sequence()) == Verdict.RETRY) {
                return read;
            }
            outputs.remove();
            number = number == 0 ? next.frame().sequence() : number + 1;
            read++;
        }
        return read;
    }

    private boolean tryMake() {
        boolean isMore = true;
        while (outputs.isEmpty() && isMore) {
            isMore = source.getAsBoolean();
        }
        return !outputs.isEmpty();
    }

    @Override
    public long newestSequence() {
        return last;
    }

    @Override
    public Map<String, Long> acknowledged() {
        return Map.of();
    }

    @Override
    public void close() {
        isClosed = true;
        outputs.clear();
    }
}
