package dev.baton.measuring.attribution;

import dev.baton.measuring.SlowMessage;
import dev.baton.measuring.data.Disturbance;
import dev.baton.measuring.data.Tail;
import dev.baton.measuring.data.Tail.Cause;
import dev.baton.measuring.data.Tail.Share;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** Attributes the time of the messages above a threshold to causes. A pure function. Stateless, thread-safe. */
public final class TailJoin {
    private TailJoin() {}

    /**
     * Computes the tail.
     *
     * @param percentile whose value the threshold is
     * @param messages above it
     * @param kept those of them whose times are known
     * @param fromNanos the moment that disturbances count from, on the messages' clock
     * @param disturbances all of them
     * @param senders the gaps of the threads that send
     */
    public static Tail of(
            double percentile,
            long thresholdNanos,
            long messages,
            List<SlowMessage> kept,
            long fromNanos,
            List<Disturbance> disturbances,
            Senders senders) {
        Interference interference = new Interference(disturbances);
        DelayBreakdown life = new DelayBreakdown(senders);
        Cause[] causes = Cause.values();
        long[] nanos = new long[causes.length];
        long[] mostOf = new long[causes.length];
        long all = 0;
        for (SlowMessage message : kept) {
            life.divide(message, fromNanos, interference);
            for (Cause cause : causes) {
                nanos[cause.ordinal()] += life.nanos(cause);
                all += life.nanos(cause);
            }
            mostOf[life.main().ordinal()]++;
        }
        List<Share> shares = new ArrayList<>();
        for (Cause cause : causes) {
            if (nanos[cause.ordinal()] > 0) {
                shares.add(new Share(cause, nanos[cause.ordinal()] / (double) all, mostOf[cause.ordinal()]));
            }
        }
        shares.sort(Comparator.comparingDouble(Share::part).reversed());
        return new Tail(percentile, thresholdNanos, messages, kept.size(), shares);
    }

    /**
     * The time of one slow message from its slot to its receipt, divided among the causes: every nanosecond has exactly one cause.
     * <ol>
     * <li>Stops of all threads, as listed by {@link Interference}.
     * <li>Of the rest, the time before the send: the generator was late. {@link Senders} divide it further.
     * <li>Of the rest, the time between the send and the receipt of the message before: queueing. If several messages are usually under way
     * at a time, that includes their usual distance.
     * <li>The remaining time is unknown: the usual time of a message is part of it.
     * </ol>
     * Confined to one thread.
     */
    private static final class DelayBreakdown {
        private final long[] nanos = new long[Cause.values().length];
        private final Senders senders;
        private List<SenderGap> gaps = List.of(); // of the thread that sent the message
        private long fromNanos;
        private long sentNanos;
        private long queuedUntilNanos;
        private long reached;

        DelayBreakdown(Senders senders) {
            this.senders = senders;
        }

        /** Divides this message instead of the one before. @param fromNanos the moment that the interference counts from */
        void divide(SlowMessage message, long fromNanos, Interference interference) {
            Arrays.fill(nanos, 0);
            long slot = message.slotNanos() - fromNanos;
            long received = Math.max(slot, message.receivedNanos() - fromNanos);
            sentNanos = within(message.sentNanos() - fromNanos, slot, received);
            queuedUntilNanos = within(message.previousNanos() - fromNanos, sentNanos, received);
            reached = slot;
            this.fromNanos = fromNanos;
            gaps = senders.gapsOf(message);
            for (Interference.Stretch each : interference.between(slot, received)) {
                restUntil(each.startNanos());
                enter(each.cause(), each.endNanos());
            }
            restUntil(received);
        }

        private static long within(long moment, long least, long most) {
            return Math.min(most, Math.max(least, moment));
        }

        /** Divides the time in which nothing stopped all threads. */
        private void restUntil(long end) {
            long late = Math.min(end, sentNanos);
            for (SenderGap gap : gaps) {
                long start = gap.startNanos() - fromNanos;
                long stop = gap.endNanos() - fromNanos;
                enter(Cause.GENERATOR, Math.min(late, start));
                enter(senders.idleCause(gap), Math.min(late, stop - gap.waitedNanos()));
                enter(Cause.GENERATOR_WITHOUT_CPU, Math.min(late, stop));
            }
            enter(Cause.GENERATOR, late);
            enter(Cause.QUEUEING, Math.min(end, queuedUntilNanos));
            enter(Cause.UNKNOWN, end);
        }

        private void enter(Cause cause, long until) {
            if (until > reached) {
                nanos[cause.ordinal()] += until - reached;
                reached = until;
            }
        }

        /** {@return the time of a cause} */
        long nanos(Cause cause) {
            return nanos[cause.ordinal()];
        }

        /** {@return the cause of the most time; of two equal ones the one with the stronger evidence} */
        Cause main() {
            return Collections.max(
                    List.of(Cause.values()),
                    Comparator.comparingLong(this::nanos).thenComparing(Comparator.reverseOrder()));
        }
    }

    /**
     * The stops of all threads: intervals in order and without overlap, each with the one cause that has the strongest evidence. Where a
     * collection, a safepoint and a stall of the host overlap, the first of these in the order of {@link Cause} counts. Immutable,
     * thread-safe.
     */
    private static final class Interference {
        /** An interval of one cause. */
        private record Stretch(long startNanos, long endNanos, Cause cause) {}

        /** The beginning or the end of a cause; active ones are counted, as disturbances of one kind may overlap. */
        private record Edge(long atNanos, Cause cause, int change) {}

        private final List<Stretch> stretches = new ArrayList<>();

        /**
         * Builds the intervals.
         *
         * @param disturbances in any order; cores that are busy with the trial itself are no cause, as the messages that they delay are
         * queueing
         */
        Interference(List<Disturbance> disturbances) {
            List<Edge> edges = new ArrayList<>();
            for (Disturbance each : disturbances) {
                Cause cause = cause(each.kind());
                if (cause != null && each.nanos() > 0) {
                    edges.add(new Edge(each.startNanos(), cause, 1));
                    edges.add(new Edge(each.endNanos(), cause, -1));
                }
            }
            edges.sort(Comparator.comparingLong(Edge::atNanos));
            int[] acting = new int[Cause.values().length];
            for (int i = 0; i + 1 < edges.size(); i++) {
                Edge edge = edges.get(i);
                acting[edge.cause().ordinal()] += edge.change();
                long end = edges.get(i + 1).atNanos();
                Arrays.stream(Cause.values())
                        .filter(cause -> acting[cause.ordinal()] > 0 && end > edge.atNanos())
                        .findFirst()
                        .ifPresent(strongest -> stretches.add(new Stretch(edge.atNanos(), end, strongest)));
            }
        }

        private static Cause cause(Disturbance.Kind kind) {
            return switch (kind) {
                case GC -> Cause.GC;
                case SAFEPOINT -> Cause.SAFEPOINT;
                case STOPPED -> Cause.STOPPED;
                case HOST -> Cause.HOST;
                case BUSY -> null;
            };
        }

        /** {@return the intervals between two moments, in order, cut at these} */
        List<Stretch> between(long fromNanos, long toNanos) {
            int found = Collections.binarySearch(
                    stretches, new Stretch(0, fromNanos, null), Comparator.comparingLong(Stretch::endNanos));
            return stretches.stream()
                    .skip(found >= 0 ? found + 1 : -found - 1)
                    .takeWhile(each -> each.startNanos() < toNanos)
                    .map(each -> new Stretch(
                            Math.max(each.startNanos(), fromNanos), Math.min(each.endNanos(), toNanos), each.cause()))
                    .toList();
        }
    }
}
