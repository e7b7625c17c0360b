package dev.baton.lab.study.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * What became of every message of one life of a chain. Immutable, thread-safe.
 *
 * @param vouched the newest message that the sender was told to be stored
 * @param takenBack messages that had been vouched for and were gone when the sender started again
 * @param received the newest message that the receiver was handed, 0 for none; null in files of before it was kept
 * @param redelivered messages that the receiver was handed again after it was started again: allowed
 * @param skipped messages that the receiver was never handed, though later ones were
 * @param repeated messages that one life of the receiver was handed twice
 * @param alteredAtReceiver messages that were not as they were sent when the receiver had them
 * @param wasDrained whether the receiver was given the time to take everything; when not, what lies in the topics
 *     further up is on its way and not lost
 * @param letters messages that are dead letters, which count as in the topics behind their service
 * @param edges of branches and merges beside the chain, or of a window, whose results are no messages that were sent; empty
 *     where there are none
 */
public record Account(
        List<Topic> topics,
        long vouched,
        long takenBack,
        Long received,
        long redelivered,
        long skipped,
        long repeated,
        long alteredAtReceiver,
        boolean wasDrained,
        long letters,
        List<Edge> edges) {
    public Account {
        topics = List.copyOf(topics);
        edges = edges == null ? List.of() : List.copyOf(edges);
    }

    private Topic first() {
        return topics.get(0);
    }

    private Topic last() {
        return topics.get(topics.size() - 1);
    }

    /** Messages in the first topic, or vouched for. */
    public long sent() {
        return Math.max(first().highest(), vouched);
    }

    /** Messages sent that are not in the last topic, nor on their way to it, or did not pass an edge. */
    public long lost() {
        long arrived = last().highest() - last().missing();
        long onTheWay = onTheWay();
        return Math.max(0, sent() - arrived - onTheWay)
                + takenBack
                + skipped
                + edges.stream().mapToLong(each -> each.lost(wasDrained)).sum();
    }

    /** Messages in the first topic behind the newest of the last. */
    public long onTheWay() {
        return Math.max(0, first().highest() - last().highest());
    }

    /** The chain itself as an edge, from its first topic to its last, where dead letters do not count as missing. */
    Edge chain() {
        return new Edge(first().topic(), last(), onTheWay());
    }

    /** Copies beyond the first, in all topics together. */
    public long duplicated() {
        return sum(Topic::duplicated) + repeated;
    }

    public long reordered() {
        return sum(Topic::reordered);
    }

    /** Messages that are not as they were sent, wherever. */
    public long altered() {
        return sum(Topic::altered) + sum(Topic::damaged) + alteredAtReceiver;
    }

    public long gaps() {
        return sum(Topic::gaps);
    }

    private long sum(ToLongFunction<Topic> count) {
        return Stream.concat(topics.stream(), edges.stream().map(Edge::topic))
                .mapToLong(count)
                .sum();
    }

    /** What is wrong, in words; empty when nothing is. */
    public List<String> findings() {
        List<String> findings = new ArrayList<>();
        topics.stream()
                .filter(each -> !each.isClean())
                .forEach(each -> findings.add("topic " + each.topic() + ": " + each.finding()));
        for (Edge edge : edges) {
            if (!edge.topic().isClean()) {
                findings.add(edge + ": " + edge.topic().finding());
            }
            add(findings, wasDrained ? edge.behind() : 0, "messages did not pass " + edge + " in the time given");
        }
        add(findings, takenBack, "stored messages were gone when the sender started again");
        add(findings, first().highest() < vouched ? vouched - first().highest() : 0, "stored messages are gone");
        add(findings, skipped, "messages never reached the receiver, though later ones did");
        add(findings, repeated, "messages reached one life of the receiver twice");
        add(findings, alteredAtReceiver, "messages reached the receiver altered");
        add(findings, wasDrained ? onTheWay() : 0, "messages did not come out in the time given");
        long unreceived = wasDrained && received != null ? last().highest() - received : 0;
        add(findings, unreceived, "messages at the end of the last topic never reached the receiver");
        return findings;
    }

    private static void add(List<String> findings, long count, String what) {
        if (count > 0) {
            findings.add(count + " " + what);
        }
    }

    /**
     * What came from one topic into another, which is written by a branch or a merge, or holds the results of a window.
     * Immutable, thread-safe.
     *
     * @param from the topic read
     * @param topic the one written, of which only the frames that came from there count; numbers missing are those that
     *     {@code from} holds and that have to pass
     * @param behind messages that have to pass, behind the highest that did
     */
    public record Edge(String from, Topic topic, long behind) {
        /** Messages that have to pass and are not there. @param wasDrained whether they were given the time */
        public long lost(boolean wasDrained) {
            return topic.missing() + (wasDrained ? behind : 0);
        }

        /** As people read it. */
        @Override
        public String toString() {
            return from + " -> " + topic.topic();
        }
    }

    /**
     * What one topic holds, read from end to end and compared with what was sent. Immutable, thread-safe.
     *
     * @param highest number found, 0 for none
     * @param missing numbers up to the highest that are not there
     * @param duplicated frames whose number came before
     * @param reordered frames whose number came for the first time, behind a higher one
     * @param altered frames that are not as they were written, payload or header
     * @param gaps places where the sequence is not the one before plus one
     * @param damaged places that hold no frame
     * @param finding the first thing wrong, in words; null when nothing is
     */
    public record Topic(
            String topic,
            long frames,
            long highest,
            long missing,
            long duplicated,
            long reordered,
            long altered,
            long gaps,
            long damaged,
            String finding) {
        /** The same where messages behind the highest need not be there. */
        Topic upTo(long number) {
            return new Topic(topic, frames, number, missing, duplicated, reordered, altered, gaps, damaged, finding);
        }

        /** Whether every message up to the highest is there once, in order and whole. */
        public boolean isClean() {
            return finding == null;
        }
    }
}
