package dev.baton.lab.trial.ends;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.Shape;
import dev.baton.measuring.InstanceHistogram;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.rig.SourceSender;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;

/**
 * Sends as much as the chain takes: a closed loop. A message's origin is its actual send, its tag the lower half of its
 * number.
 *
 * <p>What closes the loop is the chain's own back-pressure, {@link Load#inFlight}, or the most messages that the chain has
 * passed on within a second, whichever comes first: a slow chain can then deliver before the deadline what it was sent.
 */
public final class SaturatingGenerator extends Generator {
    private static final long SECOND_NANOS = 1_000_000_000;

    private final LongUnaryOperator inFlight;
    private final int mostInFlight;
    private long bound; // of messages in flight; never more than mostInFlight
    private long second; // since the start
    private long passedBefore; // messages that had come out when that second began
    private long lastNanos;

    /**
     * Creates a generator.
     *
     * @param inFlight returns for a number of sent messages those that have not come out yet
     */
    public SaturatingGenerator(
            int instance, Load load, Shape shape, Instruments.Meters meters, LongUnaryOperator inFlight) {
        super(instance, load, meters);
        this.inFlight = inFlight;
        mostInFlight = load.inFlight(shape.instances());
        bound = load.firstInFlight(shape.instances());
    }

    @Override
    public int onTurn(SourceSender sender) {
        if (isDone() || !tryBegin()) {
            return 0;
        }
        long sinceStart = clock.nanoTime() - window.startNanos();
        if (sinceStart < 0) {
            return 0;
        }
        long number = sentCount();
        long waiting = inFlight.applyAsLong(number);
        raiseBound(number - waiting, sinceStart / SECOND_NANOS);
        int most = (int) Math.min(MOST_PER_TURN, bound - waiting);
        int count = 0;
        long now = nextSendNanos();
        while (now - window.endNanos() < 0) {
            if (count >= most || !sender.trySend(number + count, now, (int) (number + count))) {
                return count;
            }
            enter(now, now);
            lastNanos = now;
            count++;
            now = nextSendNanos();
        }
        end();
        return count;
    }

    private void raiseBound(long passed, long present) {
        if (present != second) {
            second = present;
            passedBefore = Math.max(passedBefore, passed);
        }
        bound = Math.max(bound, Math.min(mostInFlight, passed - passedBefore));
    }

    /** Returns the present time, or a nanosecond after the previous message: origins increase. */
    private long nextSendNanos() {
        long now = clock.nanoTime();
        return lastNanos == 0 || now - lastNanos > 0 ? now : lastNanos + 1;
    }

    /** Unknown: when there is room. */
    @Override
    public long deadlineNanos() {
        return Long.MAX_VALUE;
    }

    @Override
    public boolean isSaturating() {
        return true;
    }

    /** Returns whether no message was sent: at saturation one is always due. */
    @Override
    public boolean isSilent() {
        return sentCount() <= firstMeasured();
    }

    /** Returns 0: every due message was sent. */
    @Override
    public long settle(LatencyHistograms sum, LongFunction<InstanceHistogram> responses) {
        settleHeld(sum);
        return 0;
    }
}
