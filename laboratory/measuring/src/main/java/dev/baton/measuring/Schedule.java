package dev.baton.measuring;

/**
 * When an open loop sends: slot 0, 1, 2 ... each at a time that was fixed before the run and never moves, whatever
 * happens to the messages before it.
 *
 * <p>Slots rise strictly, so a message's slot is also its identity. What is asked for may be memoised: confined to one
 * thread, each side of a chain has a schedule of its own, made from the same numbers.
 */
public interface Schedule {
    /** The time of a slot, counted from 0, on the clock that the schedule was made for. */
    long slotNanos(long number);

    /** The number of the slot at this very time, -1 when there is none. */
    default long numberOf(long nanos) {
        long number = slotsBefore(nanos);
        return slotNanos(number) == nanos ? number : -1;
    }

    /** How many slots lie before a moment. */
    long slotsBefore(long nanos);
}
