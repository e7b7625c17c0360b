package dev.baton.lab.study.window;

import dev.baton.Claim;
import dev.baton.MessageFields;
import dev.baton.Outlet;
import dev.baton.Source;
import dev.baton.lab.request.Load;
import dev.baton.lab.trial.ends.Schedules;
import dev.baton.measuring.Counter;
import dev.baton.measuring.EvenSchedule;
import dev.baton.measuring.LatencyRecorder;
import dev.baton.measuring.NanoClock;
import dev.baton.measuring.RecorderPool;
import dev.baton.measuring.Schedule;

/**
 * Sends the events of one part when they are due, and after the last event of each step a watermark, which is due at the step's end: an
 * open loop. A late event is sent at once and keeps its slot.
 *
 * <p>One reading of the clock serves all events of a turn; the send delay of the source is recorded once for each step, at its watermark,
 * which is sent in order with the events and so is as late as they are.
 *
 * <p>Confined to the loop of its chain; {@link #sent}, {@link #announced} and {@link #isDone} may be called by any thread.
 */
final class EventSource implements Source {
    /** The most messages of one turn, so that a source far behind does not keep its loop from emitting. */
    static final int MOST_PER_TURN = 1024;

    private final JobPart part;
    private final NanoClock clock;
    final Counter sent = new Counter(); // events
    private final MessageFields fields = new MessageFields();
    private LatencyRecorder[] recorders; // by phase; null until the window has started
    private EventSchedule schedule;
    private long number; // of the next event
    private long slotNanos; // of the next event
    private int step = 1; // that ends next
    private long stepEndNanos;
    private Amounts amounts;
    private long total; // of all events so far
    private long weight; // of that by keys
    private boolean isRefused;
    volatile int announced; // steps whose watermark was sent
    volatile boolean isDone; // whether everything due in the window was sent

    EventSource(JobPart part, NanoClock clock) {
        this.part = part;
        this.clock = clock;
    }

    @Override
    public int onTick(Outlet out) {
        if (isDone || !part.window.isStarted()) {
            return 0;
        }
        if (recorders == null) {
            begin();
        }
        long now = clock.nanoTime();
        if (now - part.window.deadlineNanos() >= 0) {
            return 0;
        }
        isRefused = false;
        int count = 0;
        while (count < MOST_PER_TURN && !isRefused && isDue(now)) {
            count += slotNanos - stepEndNanos < 0 ? sendEvents(out, now, MOST_PER_TURN - count) : endStep(out);
        }
        long end = part.window.endNanos();
        isDone = slotNanos - end >= 0 && stepEndNanos - end > 0; // the end may come forward, but never goes back
        return count;
    }

    private void begin() {
        recorders = part.recorders.forThisThreadByPhase();
        schedule = part.schedule();
        amounts = part.amounts();
        slotNanos = schedule.slotNanos(0);
        stepEndNanos = schedule.endOf(step);
    }

    private boolean isDue(long now) {
        long end = part.window.endNanos();
        return slotNanos - stepEndNanos < 0
                ? slotNanos - now <= 0 && slotNanos - end < 0
                : stepEndNanos - now <= 0 && stepEndNanos - end <= 0;
    }

    private int sendEvents(Outlet out, long now, int most) {
        JobPart.KeyStream keys = part.keys;
        long end = part.window.endNanos();
        long before = stepEndNanos - end < 0 ? stepEndNanos : end;
        long slot = slotNanos;
        int count = 0;
        while (count < most && slot - now <= 0 && slot - before < 0) {
            Claim claim = out.claim(Wire.EVENT_BYTES, fields.originNanos(slot));
            if (claim == null) {
                isRefused = true;
                break;
            }
            int key = keys.of(number);
            int value = keys.valueOf(number);
            Wire.commitEvent(claim, key, value);
            long amount = amounts.of(key, value, slot);
            total += amount;
            weight += amount * JobPart.Expected.weightOf(key);
            slot = schedule.slotNanos(++number);
            count++;
        }
        slotNanos = slot;
        sent.add(count);
        return count;
    }

    /** Sends the watermark of this step. */
    private int endStep(Outlet out) {
        Claim claim = out.claim(0, fields.originNanos(stepEndNanos));
        if (claim == null) {
            isRefused = true;
            return 0;
        }
        part.expected.note(step, total, weight);
        long sendDelay = clock.nanoTime() - stepEndNanos;
        recorders[RecorderPool.phase(stepEndNanos - 1, part.window.measureNanos())].recordSendDelay(sendDelay);
        part.board.announced(step, sendDelay);
        claim.type(step).commit(0);
        announced = step;
        step++;
        stepEndNanos = schedule.endOf(step);
        return 1;
    }

    @Override
    public long deadlineNanos() {
        if (recorders == null || isRefused || isDone) {
            return Long.MAX_VALUE;
        }
        return slotNanos - stepEndNanos < 0 ? slotNanos : stepEndNanos;
    }

    /**
     * The slots of the events of one part, the ends of its steps, and so the number of events of each step. Step n = 1, 2, 3 ... ends at {@code
     * start + n * step}; an event belongs to the step of its slot, and a slot at the very end of a step belongs to the next one.
     *
     * <p>Any thread may read steps; slots are confined to the source's thread, or read after it has ended.
     */
    static final class EventSchedule {
        private final long startNanos;
        private final long stepNanos;
        private final Schedule slots;

        /**
         * Creates the schedule of part {@code index} of {@code parts}, whose slots lie between those of the others where they are even.
         *
         * @param startNanos first moment of step 1
         * @param load of this part
         */
        EventSchedule(long startNanos, int index, int parts, Load load, long stepNanos) {
            this.startNanos = startNanos;
            this.stepNanos = stepNanos;
            // another seed than the keys have, which are drawn by the same numbers
            slots = load.arrivals() == Load.Arrivals.EVEN
                    ? new EvenSchedule(startNanos + (long) (load.intervalNanos() * index / parts), load.intervalNanos())
                    : Schedules.of(load.seeded(~load.seed()), index, startNanos);
        }

        /** The time of an event, counted from 0. */
        long slotNanos(long number) {
            return slots.slotNanos(number);
        }

        /** The first moment behind a step, counted from 1; of step 0 the start. */
        long endOf(int step) {
            return startNanos + step * stepNanos;
        }

        /** Steps that end at a moment or before. */
        int stepsUntil(long nanos) {
            return nanos - startNanos < 0 ? 0 : Math.toIntExact((nanos - startNanos) / stepNanos);
        }

        /** Events whose slot lies before a moment. */
        long eventsBefore(long nanos) {
            return slots.slotsBefore(nanos);
        }

        /** Events of a step. */
        long eventsIn(int step) {
            return eventsBefore(endOf(step)) - eventsBefore(endOf(step - 1));
        }
    }
}
