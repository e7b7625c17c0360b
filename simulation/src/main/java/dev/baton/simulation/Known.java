package dev.baton.simulation;

/** A defect that core is known to have: what triggers it, or reports it, is switched off until it is fixed. */
enum Known {
    /** A close counts a part as drained that has not polled yet, where the sequence at open is not known. */
    DRAINED_WHERE_SEQUENCE_IS_UNKNOWN,
    /** A chain that failed on one loop goes on on the others. */
    FAILED_CHAIN_GOES_ON,
    /** A source that throws still publishes what it sent in that call. */
    SOURCE_THAT_THROWS_PUBLISHES,
    /** A start that times out leaves the part behind whose open is in progress. */
    LATE_OPEN_IS_LEFT_BEHIND,
    /** Of a service that holds inputs and ticks, ticks come at other places when its inputs come again. */
    TICKS_COME_AGAIN_OTHERWISE,
    /** An input that goes back to a copy of fewer writers and is written further looks like the one that was answered. */
    COPY_WITH_FEWER_WRITERS,
    /** A close waits, beyond its limit, for an inlet whose first use opens its connection at that moment. */
    CLOSE_WAITS_FOR_SLOW_INLET,
    /**
     * Where the newest wins, a part takes its output and its input one after the other: of two that start at once each can
     * end with one of them, and acknowledge inputs whose outputs are dropped.
     */
    READER_AND_WRITER_TAKEN_APART
}
