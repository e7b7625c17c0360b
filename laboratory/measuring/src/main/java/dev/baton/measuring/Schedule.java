package dev.baton.measuring;

/**
 * The send times of an open loop: slots 0, 1, 2 ..., each at a time that is fixed before the run and independent of the messages before it.
 *
 * <p>Slots increase strictly, so a message's slot is also its identity. An implementation may cache results: it is confined to one thread,
 * and each end of a chain has its own schedule, created with the same numbers.
 */
public interface Schedule {
    /** The time of a slot, counted from 0, on the clock of the schedule. */
    long slotNanos(long number);

    /** The number of the slot at exactly this time, -1 for none. */
    default long numberOf(long nanos) {
        long number = slotsBefore(nanos);
        return slotNanos(number) == nanos ? number : -1;
    }

    /** {@return the number of slots before a moment} */
    long slotsBefore(long nanos);
}
