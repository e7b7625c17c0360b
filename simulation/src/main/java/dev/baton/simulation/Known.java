package dev.baton.simulation;

/** A defect that core is known to have: what triggers it, or reports it, is switched off until it is fixed. */
enum Known {
    /** Inlets of lanes share a connection, so a close waits, beyond its limit, while one of them is opened. */
    CLOSE_WAITS_FOR_SLOW_INLET_OF_LANES
}
