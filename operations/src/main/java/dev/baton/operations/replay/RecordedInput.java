package dev.baton.operations.replay;

import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.DamagedTopicException;
import java.util.concurrent.TimeUnit;

/**
 * The input of a replayed service: the frames of a topic within a range, read without consuming anything. A position is a sequence. Sets
 * the clock to the time of each input. Confined to the replay's thread.
 *
 * <p>The sequences here are recorded ones. A service that is fed with new outputs receives frames with sequences of their own, since some
 * of the recorded ones may be missing, and others may come several times.
 */
final class RecordedInput implements TopicReader, FrameHandler {
    private static final long THIS_BOOT =
            Incarnation.begin(1, Incarnation.NO_TOPOLOGY).boot();

    private final TopicInspector recorded;
    private final NewOutputs fed; // the same; null: the recorded topic
    private final RecordedTime time;
    private final ReplayRange range;
    private final Pace pace;
    private FrameHandler service; // of the poll in progress
    private long wallOffset; // of the writer of the inputs
    private long stop = Long.MAX_VALUE; // the last input to deliver for now
    private long first; // sequence of the first delivered input, 0 for none
    private long consumed; // sequence of the last one consumed
    private long inputs;
    private int refused; // by this reader, in the poll in progress
    private int skipped; // before the range, in the poll in progress
    private boolean isAtStop;
    private boolean isAtEnd;
    private boolean isUnreadable; // the record at which the last poll has ended
    private long waitNanos; // until the next input is due

    RecordedInput(TopicInspector recorded, RecordedTime time, ReplayRange range, Pace pace) {
        this.recorded = recorded;
        this.fed = recorded instanceof NewOutputs outputs ? outputs : null;
        this.time = time;
        this.range = range;
        this.pace = pace;
    }

    /** Delivers no input with a greater sequence until this is called again. */
    void stopAt(long last) {
        if (stop != last) {
            stop = last;
            isAtStop = false;
        }
    }

    boolean isStopAt(long last) {
        return stop == last;
    }

    /** {@return whether the recording, or its range, has ended} */
    boolean isAtEnd() {
        return isAtEnd;
    }

    /** {@return whether the next input comes after {@link #stopAt}} */
    boolean isAtStop() {
        return isAtStop;
    }

    /** {@return the time until the next input is due} */
    long waitNanos() {
        return waitNanos;
    }

    /** Sequence of the first input delivered, or that is missing from the new outputs; 0 for none. */
    long first() {
        return fed == null ? first : fed.first();
    }

    /** Sequence of the last input consumed, or that is missing from the new outputs and was followed by no other; 0 for none. */
    long consumed() {
        return fed != null && isAtEnd ? Math.max(consumed, fed.last()) : consumed;
    }

    /** Returns the recorded sequence of an input that was delivered recently. */
    long recordedSequence(long delivered) {
        return fed == null ? delivered : fed.recordedSequence(delivered);
    }

    long inputs() {
        return inputs;
    }

    @Override
    public int poll(FrameHandler handler, int limit) {
        service = handler;
        skipped = 0;
        refused = 0;
        waitNanos = 0;
        try {
            int taken = recorded.read(this, limit);
            isAtEnd |= taken == 0 && refused == 0;
            return taken - skipped;
        } catch (DamagedTopicException unreadable) {
            isUnreadable = !unreadable.isEnd();
            throw unreadable;
        }
    }

    /** Returns whether the last poll has ended at a record behind which an inspector continues by itself. */
    @Override
    public boolean skipUnreadable() {
        boolean isSkipped = isUnreadable;
        isUnreadable = false;
        return isSkipped;
    }

    @Override
    public Verdict onFrame(Frame frame, long position) {
        long sequence = frame.sequence();
        long nanos = frame.sentNanos() + wallOffset;
        if (range.isBefore(sequence, nanos)) {
            skipped++;
            return Verdict.DONE;
        }
        if (range.isBehind(sequence, nanos)) {
            isAtEnd = true;
            return refuse();
        }
        if (sequence > stop) {
            isAtStop = true;
            return refuse();
        }
        if (pace != Pace.MAX) {
            waitNanos = pace.waitNanos(nanos);
            if (waitNanos > 0) {
                return refuse();
            }
        }
        time.at(nanos);
        if (first == 0) {
            first = sequence;
        }
        Verdict verdict;
        if (fed == null) {
            verdict = service.onFrame(frame, sequence);
        } else {
            long number = fed.number(sequence);
            frame.sequence(number);
            verdict = service.onFrame(frame, number);
            frame.sequence(sequence);
        }
        if (verdict == Verdict.RETRY) {
            return refuse();
        }
        consumed = sequence;
        inputs++;
        return Verdict.DONE;
    }

    private Verdict refuse() {
        refused++;
        return Verdict.RETRY;
    }

    /** Stamps of a recording compare with each other, whatever host it was made on. */
    @Override
    public void onWriter(Incarnation writer) {
        wallOffset = writer.wallOffsetNanos();
        service.onWriter(
                new Incarnation(writer.id(), writer.topology(), THIS_BOOT, writer.wallOffsetNanos(), writer.process()));
    }

    @Override
    public void acknowledge(long position) {}

    @Override
    public void close() {
        recorded.close();
    }

    /** The rate at which inputs are delivered. */
    static final class Pace {
        /** Delivers inputs as fast as they are read. */
        static final Pace MAX = new Pace(0);

        private final double speed;
        private long firstNanos;
        private long begun; // by System.nanoTime; 0: no input yet

        /**
         * Creates a pace.
         *
         * @param speed relative to the recorded time: 1 is as recorded
         */
        Pace(double speed) {
            this.speed = speed;
        }

        private long waitNanos(long epochNanos) {
            if (begun == 0) {
                begun = System.nanoTime();
                firstNanos = epochNanos;
            }
            long due = (long) ((epochNanos - firstNanos) / speed);
            return Math.min(TimeUnit.MILLISECONDS.toNanos(100), due - (System.nanoTime() - begun));
        }
    }
}
