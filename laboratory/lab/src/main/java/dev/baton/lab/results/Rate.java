package dev.baton.lab.results;

import dev.baton.measuring.InstanceHistogram;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * The requested and the carried load.
 *
 * <p>At saturation, where no rate is due, both rates are the messages that arrived within the window over its length, and the shares are 1.
 *
 * @param askedPerSecond slots of the measured window over its length, all instances together
 * @param achievedPerSecond of those slots, the ones whose message was sent before the window's end, with a tolerance of 10 ms, or half of
 * the tolerance of a paced loop or a limit, and arrived by the drain deadline; over the window's length
 * @param share achieved over requested
 * @param worstShare that share of the worst instance
 * @param worstInstance number of that instance, counted from 1
 * @param writingNanos of a chain with messages of its own: average time of its generator to write one; else null
 * @param backlog of the instance that took longest to catch up; null without one
 * @param partitions figures of each, of all instances together; empty for chains without partitions
 */
public record Rate(
        double askedPerSecond,
        double achievedPerSecond,
        double share,
        double worstShare,
        int worstInstance,
        Double writingNanos,
        Backlog backlog,
        List<Partition> partitions) {
    /**
     * One partition of all chains: its messages, and their response times as {@link InstanceFigures} has them.
     *
     * @param partition from 0, as in the names of its topics
     * @param count responses recorded
     * @param p50Nanos null when nothing was recorded, like the others
     */
    public record Partition(int partition, long count, Long p50Nanos, Long p99Nanos, Long p999Nanos, Long maxNanos) {
        /** Returns the figures of a partition. */
        public static Partition of(int partition, InstanceHistogram responses) {
            InstanceFigures figures = InstanceFigures.of(partition + 1, responses, 0, 0);
            return new Partition(
                    partition,
                    figures.count(),
                    figures.p50Nanos(),
                    figures.p99Nanos(),
                    figures.p999Nanos(),
                    figures.maxNanos());
        }
    }

    /**
     * Messages that were due at once, and the times until an instance had caught up, from the begin of the measurement.
     *
     * @param messages of each instance
     * @param handledNanos until the last of them arrived; null: not all did
     * @param caughtUpNanos until a message that became due later took no longer than usual, see {@code --backlog}; null: none did
     */
    public record Backlog(long messages, Long handledNanos, Long caughtUpNanos) {
        /** Returns the longest times of several instances; null of none. */
        public static Backlog slowest(List<Backlog> all) {
            return all.isEmpty()
                    ? null
                    : new Backlog(
                            all.get(0).messages,
                            longest(all, Backlog::handledNanos),
                            longest(all, Backlog::caughtUpNanos));
        }

        private static Long longest(List<Backlog> all, Function<Backlog, Long> time) {
            List<Long> times = all.stream().map(time).filter(Objects::nonNull).toList();
            return times.size() < all.size() ? null : Collections.max(times);
        }
    }

    public Rate {
        partitions = partitions == null ? List.of() : List.copyOf(partitions); // absent from older files
    }

    /** Creates the rate of messages that the laboratory writes itself. */
    public Rate(double askedPerSecond, double achievedPerSecond, double share, double worstShare, int worstInstance) {
        this(askedPerSecond, achievedPerSecond, share, worstShare, worstInstance, null, null, null);
    }

    /** Returns the rate with the time of a generator. */
    public Rate with(Double nanos) {
        return new Rate(
                askedPerSecond, achievedPerSecond, share, worstShare, worstInstance, nanos, backlog, partitions);
    }

    /** Returns the rate with a backlog. @param found null for none */
    public Rate with(Backlog found) {
        return new Rate(
                askedPerSecond, achievedPerSecond, share, worstShare, worstInstance, writingNanos, found, partitions);
    }

    /** Returns the rate with the figures of partitions. */
    public Rate with(List<Partition> figures) {
        return new Rate(
                askedPerSecond, achievedPerSecond, share, worstShare, worstInstance, writingNanos, backlog, figures);
    }

    /** {@return the partition with the most messages} */
    public Optional<Partition> busiestPartition() {
        return partitions.stream().filter(each -> each.count() > 0).max(Comparator.comparing(Partition::count));
    }

    /** {@return the partition with the highest p99.9} */
    public Optional<Partition> slowestPartition() {
        return partitions.stream()
                .filter(each -> each.p999Nanos() != null)
                .max(Comparator.comparing(Partition::p999Nanos));
    }
}
