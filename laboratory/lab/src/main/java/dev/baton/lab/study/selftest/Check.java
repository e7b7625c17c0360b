package dev.baton.lab.study.selftest;

import dev.baton.operations.terminal.Units;
import java.util.Locale;

/**
 * One figure that the laboratory reported, with the right one. Immutable, thread-safe.
 *
 * @param expected the closed-form answer with its tolerance
 * @param isExcused whether a machine that disturbs the trial can be the cause of a wrong figure
 */
public record Check(String what, String expected, String reported, boolean holds, boolean isExcused) {
    private static final long MILLI = 1_000_000;
    private static final long MICRO = 1_000;

    Check(String what, String expected, String reported, boolean holds) {
        this(what, expected, reported, holds, true);
    }

    /** A count of faults in a trial without faults: they are the system's own, however disturbed the machine is. */
    static Check ownFaults(String what, long reported) {
        return new Check(what, Units.count(0), Units.count(reported), reported == 0, false);
    }

    /** A count that does not depend on the machine. */
    static Check count(String what, long expected, long reported) {
        return new Check(what, Units.count(expected), Units.count(reported), expected == reported);
    }

    /** A count that what the machine did can change. */
    static Check count(String what, long least, long expected, long most, long reported) {
        String range = least == most ? "" : " (" + Units.count(least) + " to " + Units.count(most) + ")";
        return new Check(
                what, Units.count(expected) + range, Units.count(reported), reported >= least && reported <= most);
    }

    /** A time. @param reported null when the result has none */
    static Check time(String what, Range range, Long reported) {
        long unit = range.most() >= MILLI ? MILLI : MICRO;
        return new Check(
                what,
                in(unit, range.expected()) + word(unit) + " (" + in(unit, range.least()) + " to "
                        + in(unit, range.most()) + ")",
                reported == null ? "none" : in(unit, reported) + word(unit),
                reported != null && reported >= range.least() && reported <= range.most());
    }

    /** Returns a time with three digits or more. */
    private static String in(long unitNanos, long nanos) {
        double value = nanos / (double) unitNanos;
        return String.format(Locale.ROOT, value >= 1_000 ? "%,.0f" : value >= 100 ? "%.1f" : "%.2f", value);
    }

    private static String word(long unitNanos) {
        return unitNanos == MILLI ? " ms" : " us";
    }

    /** The range of a time. @param expected the result on a machine that loses no time */
    record Range(long least, long expected, long most) {}
}
