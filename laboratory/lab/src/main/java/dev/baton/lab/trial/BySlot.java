package dev.baton.lab.trial;

import dev.baton.measuring.Schedule;
import dev.baton.measuring.SendDelay;

/**
 * Knows messages by their slot: with the same schedule as the generator it knows what comes next, finds the number of
 * what comes out of turn, and sees an origin that was never a slot. The tag is the send delay.
 */
final class BySlot implements Recognition {
    private final Schedule schedule;
    private long nextNumber;
    private long nextSlotNanos;

    BySlot(Schedule schedule) {
        this.schedule = schedule;
        nextSlotNanos = schedule.slotNanos(0);
    }

    @Override
    public long numberOf(long originNanos, int tag, long expected, long nowNanos) {
        if (expected != nextNumber) {
            nextNumber = expected;
            nextSlotNanos = schedule.slotNanos(expected);
        }
        if (originNanos == nextSlotNanos) {
            return expected;
        }
        return originNanos - nowNanos > 0 ? -1 : schedule.numberOf(originNanos);
    }

    @Override
    public long sendDelayNanos(int tag) {
        return SendDelay.decode(tag);
    }

    @Override
    public long originNanos(long number) {
        return schedule.slotNanos(number);
    }
}
