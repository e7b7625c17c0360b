package dev.baton.lab.study.window;

import dev.baton.lab.request.Load;
import dev.baton.lab.trial.ends.Schedules;
import dev.baton.measuring.EvenSchedule;
import dev.baton.measuring.Schedule;

/**
 * The slots of the events of one part, the ends of its steps, and so the number of events of each step. Step n = 1, 2, 3 ... ends at {@code
 * start + n * step}; an event belongs to the step of its slot, and a slot at the very end of a step belongs to the next one.
 *
 * <p>Any thread may read steps; slots are confined to the source's thread, or read after it has ended.
 */
final class EventSchedule {
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
