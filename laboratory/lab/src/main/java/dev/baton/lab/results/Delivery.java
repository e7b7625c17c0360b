package dev.baton.lab.results;

import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Every message accounted for, warm-up included: {@code sent = delivered + filtered + lost + undrained}, where a copy of a message counts
 * as duplicated and not as delivered.
 *
 * @param sent by all generators, in the warm-up and in the measurement
 * @param delivered messages that arrived at least once, by the drain deadline
 * @param lost messages that never arrived, although their chain had drained, or failed
 * @param undrained messages that had not arrived by the drain deadline, when their chain may still have had them
 * @param duplicated arrivals beyond a message's first
 * @param reordered messages that arrived after one that was sent later
 * @param corrupted arrivals with the wrong hops, length, payload, origin or a sequence that was never sent
 * @param unsent slots of the measured window without a message, as a generator was delayed until the end
 * @param incidents the first few of them, with instance and sequence
 * @param filtered messages that lead to no output, in a chain with messages of its own; otherwise 0
 */
public record Delivery(
        long sent,
        long delivered,
        long lost,
        long undrained,
        long duplicated,
        long reordered,
        long corrupted,
        long unsent,
        List<Incident> incidents,
        long filtered) {
    private static final int MOST_INCIDENTS = 50;

    public Delivery {
        incidents = incidents == null ? List.of() : List.copyOf(incidents);
    }

    /** Returns the sum of accounts. @param incidents of all */
    public static Delivery sum(List<Delivery> all, Stream<Incident> incidents) {
        return new Delivery(
                sum(all, Delivery::sent),
                sum(all, Delivery::delivered),
                sum(all, Delivery::lost),
                sum(all, Delivery::undrained),
                sum(all, Delivery::duplicated),
                sum(all, Delivery::reordered),
                sum(all, Delivery::corrupted),
                sum(all, Delivery::unsent),
                incidents.limit(MOST_INCIDENTS).toList(),
                sum(all, Delivery::filtered));
    }

    private static long sum(List<Delivery> all, ToLongFunction<Delivery> figure) {
        return all.stream().mapToLong(figure).sum();
    }

    /** Returns whether nothing was lost, duplicated, reordered or corrupted. */
    public boolean isFaultless() {
        return lost == 0 && duplicated == 0 && reordered == 0 && corrupted == 0;
    }
}
