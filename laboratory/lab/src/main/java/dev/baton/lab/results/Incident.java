package dev.baton.lab.results;

/**
 * One fault of delivery.
 *
 * @param instance counted from 1
 * @param sequence of the message at the inlet; the first one when several in a row share the fault
 * @param kind of fault
 * @param detail expected and found, for a person
 */
public record Incident(int instance, long sequence, Kind kind, String detail) {
    /** The kinds of faults. */
    public enum Kind {
        LOST,
        DUPLICATED,
        REORDERED,
        CORRUPTED
    }
}
