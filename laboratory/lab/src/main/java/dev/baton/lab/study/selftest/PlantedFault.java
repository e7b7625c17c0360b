package dev.baton.lab.study.selftest;

import dev.baton.lab.request.Shape;
import dev.baton.operations.settings.Range;
import java.util.Objects;

/**
 * Something that the self-test's transport does wrong, or slowly, on purpose. Moments count from the first measured slot. Immutable,
 * thread-safe.
 *
 * @param kind of the fault
 * @param instance with the fault, from 0
 * @param place the stalled thread; null for no stall
 * @param atNanos begin of a stall, first slot of a delay, or begin of refusals; 0 for the others
 * @param nanos duration of a stall, of the delay of each message, or of the withheld CPU time in each second; 0 for the others
 * @param every the affected messages: each whose number, from 1, is a multiple; 0 for the others
 */
public record PlantedFault(Kind kind, int instance, Place place, long atNanos, long nanos, int every) {
    private static final long LONGEST_NANOS = 10_000_000_000L;

    /** The kinds of faults. */
    public enum Kind {
        /** One thread of the chain does nothing for a while. */
        STALL,
        /** Messages reach the receiver so much later than they were sent, in order. */
        DELAY,
        /** From a moment on nothing can be sent. */
        REFUSE,
        LOSE,
        DUPLICATE,
        /** A message and the next one change places. */
        REORDER,
        /** A byte of the payload is changed. */
        CORRUPT,
        /** The reported steal time is part of every second of all CPUs. */
        STEAL,
        /** Other processes are said to have taken part of every second of the CPU time that the trial requested for. */
        CROWD
    }

    /** The threads of a chain of one service. */
    public enum Place {
        GENERATOR,
        SERVICE,
        RECEIVER
    }

    public PlantedFault {
        Objects.requireNonNull(kind, "kind");
        Range.check("instance", instance, 0, Shape.MOST_INSTANCES - 1);
        Range.check("moment, in ns,", atNanos, 0, Long.MAX_VALUE);
        Range.check("length, in ns,", nanos, 0, LONGEST_NANOS);
        boolean isCounted = kind == Kind.LOSE || kind == Kind.DUPLICATE || kind == Kind.REORDER || kind == Kind.CORRUPT;
        Range.check("every", every, isCounted ? 2 : 0, isCounted ? Integer.MAX_VALUE : 0);
        if ((kind == Kind.STALL) != (place != null)) {
            throw new IllegalArgumentException(kind + " at " + place + "; a place belongs to STALL alone");
        }
    }

    public static PlantedFault stall(int instance, Place place, long atNanos, long nanos) {
        return new PlantedFault(Kind.STALL, instance, place, atNanos, nanos, 0);
    }

    /** Returns a delay of all messages from a slot on, until another one replaces it. */
    public static PlantedFault delay(int instance, long fromNanos, long nanos) {
        return new PlantedFault(Kind.DELAY, instance, null, fromNanos, nanos, 0);
    }

    public static PlantedFault refuse(int instance, long fromNanos) {
        return new PlantedFault(Kind.REFUSE, instance, null, fromNanos, 0, 0);
    }

    /** Returns steal time of every CPU in each second, which concerns all instances. */
    public static PlantedFault steal(long nanosPerSecond) {
        return new PlantedFault(Kind.STEAL, 0, null, 0, nanosPerSecond, 0);
    }

    /** Returns the fault of other processes that use CPU time in each second, given for all instances together. */
    public static PlantedFault crowd(long nanosPerSecond) {
        return new PlantedFault(Kind.CROWD, 0, null, 0, nanosPerSecond, 0);
    }

    /** Creates a fault of a kind that is counted. */
    public static PlantedFault each(Kind kind, int instance, int every) {
        return new PlantedFault(kind, instance, null, 0, 0, every);
    }
}
