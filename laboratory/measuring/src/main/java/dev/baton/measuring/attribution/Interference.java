package dev.baton.measuring.attribution;

import dev.baton.measuring.data.Disturbance;
import dev.baton.measuring.data.Tail.Cause;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Who held everybody up when: stretches of time that follow each other without overlap, each with the one cause that the
 * evidence is strongest for. Where a collection, a safepoint and a stall of the host overlap, the first of these in the
 * order of {@link Cause} has the moment to itself. Immutable, thread-safe.
 */
final class Interference {
    /** Takes the part of a stretch that lies within what was asked for. */
    @FunctionalInterface
    interface Visitor {
        void stretch(long startNanos, long endNanos, Cause cause);
    }

    /** A cause begins or ends to act; acting ones are counted, as disturbances of one kind may overlap. */
    private record Edge(long atNanos, Cause cause, int change) {}

    private final long[] starts;
    private final long[] ends;
    private final Cause[] causes;

    private Interference(List<Edge> edges) {
        edges.sort(Comparator.comparingLong(Edge::atNanos));
        long[] from = new long[edges.size()];
        long[] to = new long[edges.size()];
        Cause[] who = new Cause[edges.size()];
        int[] acting = new int[Cause.values().length];
        int size = 0;
        for (int i = 0; i + 1 < edges.size(); i++) {
            Edge edge = edges.get(i);
            acting[edge.cause().ordinal()] += edge.change();
            Cause strongest = strongest(acting);
            long end = edges.get(i + 1).atNanos();
            if (strongest != null && end > edge.atNanos()) {
                from[size] = edge.atNanos();
                to[size] = end;
                who[size++] = strongest;
            }
        }
        starts = Arrays.copyOf(from, size);
        ends = Arrays.copyOf(to, size);
        causes = Arrays.copyOf(who, size);
    }

    private static Cause strongest(int[] acting) {
        for (int i = 0; i < acting.length; i++) {
            if (acting[i] > 0) {
                return Cause.values()[i];
            }
        }
        return null;
    }

    /** Of these, in any order. Cores that are busy with the trial itself are no cause: what they delay, queues. */
    static Interference of(List<Disturbance> disturbances) {
        List<Edge> edges = new ArrayList<>();
        for (Disturbance each : disturbances) {
            Cause cause = cause(each.kind());
            if (cause != null && each.nanos() > 0) {
                edges.add(new Edge(each.startNanos(), cause, 1));
                edges.add(new Edge(each.endNanos(), cause, -1));
            }
        }
        return new Interference(edges);
    }

    private static Cause cause(Disturbance.Kind kind) {
        return switch (kind) {
            case GC -> Cause.GC;
            case SAFEPOINT -> Cause.SAFEPOINT;
            case HOST -> Cause.HOST;
            case BUSY -> null;
        };
    }

    /** Visits what lies between two moments, in order. */
    void forEach(long fromNanos, long toNanos, Visitor visitor) {
        for (int i = firstEndingAfter(fromNanos); i < starts.length && starts[i] < toNanos; i++) {
            visitor.stretch(Math.max(starts[i], fromNanos), Math.min(ends[i], toNanos), causes[i]);
        }
    }

    private int firstEndingAfter(long nanos) {
        int at = Arrays.binarySearch(ends, nanos);
        return at >= 0 ? at + 1 : -at - 1;
    }
}
