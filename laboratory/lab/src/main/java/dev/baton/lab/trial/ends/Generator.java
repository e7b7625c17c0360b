package dev.baton.lab.trial.ends;

import dev.baton.lab.request.Load;
import dev.baton.measuring.Counter;
import dev.baton.measuring.InstanceHistogram;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.LatencyRecorder;
import dev.baton.measuring.NanoClock;
import dev.baton.measuring.RecorderPool;
import dev.baton.measuring.Schedule;
import dev.baton.measuring.SendDelay;
import dev.baton.measuring.machine.SenderGaps;
import dev.baton.measuring.rig.MessageSource;
import dev.baton.measuring.rig.SourceSender;
import java.util.function.LongFunction;

/**
 * Sends the messages of one instance at the times of its schedule, whatever becomes of them: an open loop. A message
 * that is late is sent at once and keeps its slot. Nothing is skipped; what could not be sent by the deadline is charged
 * afterwards.
 *
 * <p>Confined to the thread of the chain's inlet; {@link #sentCount} and {@link #isDone} are for any thread, {@link
 * #settle} for one that has seen that thread end.
 */
public class Generator implements MessageSource {
    /**
     * The most messages of one turn, so that a generator far behind does not keep its loop from receiving. Half of the default batch of a
     * service: otherwise a backlog of the first topic, at saturation, would stay as long as it is.
     */
    static final int MOST_PER_TURN = 128;

    final Window window;
    final NanoClock clock;
    private final int instance;
    private final Load load;
    private final long[] times; // of recorded traffic; null for none
    private final RecorderPool pool;
    private final SenderGaps.Pool gapsOfThreads;
    private final Counter sent = new Counter();
    private LatencyRecorder[] recorders; // by phase
    private SenderGaps gaps; // null: the kernel does not count
    private Schedule schedule; // null until the window has started
    private long number; // of the next message
    private long slotNanos; // of the next message
    private long warmupCount;
    private long inTime;
    private boolean isRefused;
    private int heldPhase; // of a send delay not yet recorded
    private long heldSendDelayNanos;
    private boolean isHolding;
    private volatile boolean isDone;

    public Generator(int instance, Load load, Instruments.Meters meters) {
        this.instance = instance;
        this.load = load;
        window = meters.window();
        clock = meters.clock();
        times = meters.times();
        pool = meters.recorders();
        gapsOfThreads = meters.gaps();
    }

    @Override
    public int onTurn(SourceSender sender) {
        if (schedule == null && !trySchedule()) {
            return 0;
        }
        if (isDone) {
            return 0;
        }
        recordHeld();
        long end = window.endNanos();
        long slot = slotNanos;
        long now = clock.nanoTime();
        runsAt(now);
        int count = 0;
        isRefused = false;
        while (slot - now <= 0 && slot - end < 0 && now - window.deadlineNanos() < 0 && count < MOST_PER_TURN) {
            if (!sender.trySend(number, slot, SendDelay.encode(now - slot))) {
                isRefused = true;
                break;
            }
            enter(slot, now);
            count++;
            slot = schedule.slotNanos(++number);
            if (slot - now <= 0) {
                now = clock.nanoTime(); // only while behind: each message's send delay is read at its own send
                runsAt(now);
            }
        }
        slotNanos = slot;
        if (slot - end >= 0) {
            end(); // the end may come forward, but never goes back
        }
        return count;
    }

    private void runsAt(long now) {
        if (gaps != null) {
            gaps.runsAt(now);
        }
    }

    /** Begins to record when the window has started. @return whether it has; from then on {@link #enter} may be called */
    final boolean tryBegin() {
        if (recorders == null && window.isStarted()) {
            recorders = pool.forThisThreadByPhase();
            gaps = gapsOfThreads.ofThisThread();
        }
        return recorders != null;
    }

    private boolean trySchedule() {
        if (!tryBegin()) {
            return false;
        }
        schedule = Schedules.of(load, times, instance, window);
        slotNanos = schedule.slotNanos(0);
        return true;
    }

    /**
     * Accounts for a message just sent. Its send delay is recorded with the next one's or in the next turn: some
     * engines publish after the turn, and what is measured must not wait for the recording.
     */
    final void enter(long slot, long now) {
        recordHeld();
        sent.increment();
        int phase = RecorderPool.phase(slot, window.measureNanos());
        heldPhase = phase;
        heldSendDelayNanos = now - slot;
        isHolding = true;
        warmupCount += phase;
        if (now - window.endNanos() <= window.graceNanos()) {
            inTime += 1 - phase;
        }
    }

    private void recordHeld() {
        if (isHolding) {
            isHolding = false;
            recorders[heldPhase].recordSendDelay(heldSendDelayNanos);
        }
    }

    @Override
    public long deadlineNanos() {
        return schedule == null || isRefused || isDone ? Long.MAX_VALUE : slotNanos;
    }

    /** Records the last send delay of a generator that was stopped before its end. */
    final void settleHeld(LatencyHistograms sum) {
        if (isHolding && heldPhase == RecorderPool.MEASURED) {
            sum.recordSendDelay(heldSendDelayNanos);
        }
        isHolding = false;
    }

    /** Ends the sending. */
    final void end() {
        if (!isDone) {
            recordHeld();
            isDone = true;
        }
    }

    /** {@return whether it sends as much as the chain takes, so that no rate is due} */
    public boolean isSaturating() {
        return false;
    }

    /** {@return whether it should have sent measured messages, and did not} After {@link #settle}. */
    public boolean isSilent() {
        return false; // what was due and not sent is charged
    }

    /** Messages sent so far, warm-up included. */
    public final long sentCount() {
        return sent.count();
    }

    /** {@return whether every slot of the window has been sent} */
    @Override
    public final boolean isDone() {
        return isDone;
    }

    /** Number of the first message whose slot was measured. After {@link #settle}. */
    public final long firstMeasured() {
        return warmupCount;
    }

    /** Measured messages that were sent before the window's end, give or take the grace. */
    public final long inTimeCount() {
        return inTime;
    }

    /**
     * Charges every measured slot that nothing was sent for, as if its message had arrived at the deadline.
     *
     * @param responses returns the histogram of the receiver of a message
     * @return how many there were
     */
    public long settle(LatencyHistograms sum, LongFunction<InstanceHistogram> responses) {
        if (!window.isStarted() || (schedule == null && !trySchedule())) {
            return 0;
        }
        settleHeld(sum);
        long unsent = 0;
        long end = window.endNanos();
        long next = number;
        for (long slot = schedule.slotNanos(next); slot - end < 0; slot = schedule.slotNanos(++next)) {
            if (slot - window.measureNanos() < 0) {
                warmupCount++;
                continue;
            }
            long nanos = window.deadlineNanos() - slot;
            sum.recordResponse(nanos);
            sum.recordSendDelay(nanos);
            if (!load.isReadFromSend()) { // what was never sent has no latency from there
                responses.apply(next).record(nanos);
            }
            unsent++;
        }
        return unsent;
    }
}
