package dev.baton.lab.study.window;

import dev.baton.measuring.EvenSchedule;

/**
 * When the events of one part are due, when its steps end, and from that how many events a window holds. Step n = 1, 2,
 * 3 ... ends at {@code start + n * step}; an event belongs to the step that its slot lies in, and a slot at the very end of
 * a step belongs to the next one. Source and sink have the same, and so need not ask each other. Immutable, thread-safe.
 */
final class EventSchedule {
    private final long startNanos;
    private final long firstNanos;
    private final double intervalNanos;
    private final long stepNanos;
    private final EvenSchedule slots;

    /**
     * Of part {@code index} of {@code parts}, whose slots lie between those of the others.
     *
     * @param startNanos first moment of step 1
     * @param intervalNanos between two events of this part
     */
    EventSchedule(long startNanos, int index, int parts, double intervalNanos, long stepNanos) {
        this.startNanos = startNanos;
        this.intervalNanos = intervalNanos;
        this.stepNanos = stepNanos;
        firstNanos = startNanos + (long) (intervalNanos * index / parts);
        slots = new EvenSchedule(firstNanos, intervalNanos);
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
        long sinceFirst = nanos - firstNanos;
        if (sinceFirst <= 0) {
            return 0;
        }
        long number = (long) (sinceFirst / intervalNanos);
        while (number > 0 && slotNanos(number - 1) - nanos >= 0) {
            number--;
        }
        while (slotNanos(number) - nanos < 0) {
            number++;
        }
        return number;
    }

    /** Events in the last {@code steps} steps up to the end of this one. */
    long eventsIn(int step, int steps) {
        return eventsBefore(endOf(step)) - eventsBefore(endOf(Math.max(0, step - steps)));
    }
}
