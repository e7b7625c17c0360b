package dev.baton.lab.trial;

import dev.baton.Message;
import dev.baton.measuring.NanoClock;
import java.lang.invoke.VarHandle;

/**
 * A place in one chain at which timed messages are observed: the beginning of a callback. It measures the topic before it, and the service
 * before that one.
 *
 * <p>A service cannot read the timestamp of its own output, which is set at the commit; the next place can. So each place notes the time of
 * a message, for the next one, by the message's sequence: it is the same over the whole chain if services send one message for each input.
 * A batch shares the timestamp of its first message; a service whose turn came later than its timestamp took no time, and the topic's time
 * begins with its turn. So the stages of a message add up to the whole.
 *
 * <p>{@link #look} is called by the thread of this place's callback, {@code seenNanos} by that of the next place's.
 */
final class TimedPlace {
    /** Timed messages that may be between two places; what was noted of an older one is lost, which is counted. */
    private static final int NOTES = 1_024;

    private static final long UNKNOWN = Long.MIN_VALUE;

    private final StageTimes times;
    private final int index;
    private final TimedPlace before; // null: this is the first
    private final NanoClock clock;
    private final int mask;
    private final int shift;
    private final long[] sequences = new long[NOTES];
    private final long[] moments = new long[NOTES];
    private StageTimes.OfThread histograms; // null until the first message

    /**
     * Creates a place.
     *
     * @param index of the topic that this place reads
     * @param before null for the first place
     */
    TimedPlace(StageTimes times, int index, TimedPlace before, NanoClock clock) {
        this.times = times;
        this.index = index;
        this.before = before;
        this.clock = clock;
        mask = times.oneOf() - 1;
        shift = Integer.numberOfTrailingZeros(times.oneOf());
    }

    /** A message has arrived here; called before anything is done with it. */
    void look(Message in) {
        if (isTimed(in)) {
            seen(in);
        }
    }

    /** {@return whether a message is one of the timed ones} */
    boolean isTimed(Message in) {
        return (in.sequence() & mask) == 0;
    }

    /** A timed message has arrived here. */
    void seen(Message in) {
        long now = clock.nanoTime();
        if (histograms == null) {
            begin();
        }
        long sequence = in.sequence();
        long origin = in.originNanos();
        long stamp = in.sentNanos();
        if (before == null) {
            histograms.record(StageTimes.topic(index), origin, now - stamp);
        } else {
            long seen = before.seenNanos(sequence);
            if (seen != UNKNOWN) {
                long left = stamp - seen > 0 ? stamp : seen;
                histograms.record(StageTimes.service(index - 1), origin, left - seen);
                histograms.record(StageTimes.topic(index), origin, now - left);
            } else {
                histograms.miss(StageTimes.service(index - 1), origin);
                histograms.miss(StageTimes.topic(index), origin);
            }
        }
        note(sequence, now);
    }

    private void begin() {
        histograms = times.forThisThread().prepare(StageTimes.topic(index));
        if (index > 0) {
            histograms.prepare(StageTimes.service(index - 1));
        }
    }

    private void note(long sequence, long now) {
        int at = (int) (sequence >>> shift) & NOTES - 1;
        sequences[at] = 0;
        VarHandle.storeStoreFence();
        moments[at] = now;
        VarHandle.storeStoreFence();
        sequences[at] = sequence;
    }

    /** Returns the time of a message here; {@link #UNKNOWN} when it was overwritten. */
    private long seenNanos(long sequence) {
        int at = (int) (sequence >>> shift) & NOTES - 1;
        long first = sequences[at];
        VarHandle.loadLoadFence();
        long seen = moments[at];
        VarHandle.loadLoadFence();
        return first == sequence && sequences[at] == sequence ? seen : UNKNOWN;
    }
}
