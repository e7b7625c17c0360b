package dev.baton.lab.study.chaos.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The fate of every message of one life of a chain. Immutable, thread-safe.
 *
 * @param vouched the newest message that was confirmed to the sender as stored
 * @param takenBack messages that had been confirmed and were missing when the sender started again
 * @param received the newest message that the receiver got, 0 for none; null in older files
 * @param redelivered messages that the receiver got again after its restart: allowed
 * @param skipped messages that the receiver never got, though it got later ones
 * @param repeated messages that one life of the receiver got twice
 * @param alteredAtReceiver messages that differed from the sent ones at the receiver
 * @param wasDrained whether the receiver had time to take everything; otherwise messages in earlier topics are on their way and not lost
 * @param letters messages that are dead letters, which count as in the topics behind their service
 * @param edges of branches and merges in addition to the chain, or of a window, whose results are no sent messages; empty where there are
 * none
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

    /** Messages sent that are not in the last topic, not on their way to it, or did not pass an edge. */
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
    public Edge chain() {
        return new Edge(first().topic(), last(), onTheWay());
    }

    /** {@return whether only the first and the last topic count, as none of them can be read} */
    public boolean isOfEnds() {
        return topics.size() == 2; // others have a topic between two services
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

    /** {@return the faults in words; empty for none} */
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
        add(findings, takenBack, "stored messages were missing when the sender started again");
        add(findings, first().highest() < vouched ? vouched - first().highest() : 0, "stored messages are missing");
        add(findings, skipped, "messages never reached the receiver, though later ones did");
        add(findings, repeated, "messages reached one life of the receiver twice");
        add(findings, alteredAtReceiver, "messages reached the receiver altered");
        add(findings, wasDrained ? onTheWay() : 0, "messages did not arrive in time");
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
     * The messages that came from one topic into another, which is written by a branch or a merge, or contains the results of a window.
     * Immutable, thread-safe.
     *
     * @param from the topic read
     * @param topic the one written, of which only the frames that came from there count; missing numbers are those in {@code from} that
     * have to pass
     * @param behind messages that have to pass, after the highest that did
     */
    public record Edge(String from, Topic topic, long behind) {
        /** Messages that have to pass and are not there. @param wasDrained whether they were given the time */
        public long lost(boolean wasDrained) {
            return topic.missing() + (wasDrained ? behind : 0);
        }

        /** {@return a text for people} */
        @Override
        public String toString() {
            return from + " -> " + topic.topic();
        }
    }

    /**
     * The content of one topic, read from end to end and compared with the sent messages. Immutable, thread-safe.
     *
     * @param highest number found, 0 for none
     * @param missing numbers up to the highest that are absent
     * @param duplicated frames whose number came before
     * @param reordered frames whose number came for the first time, after a higher one
     * @param altered frames that differ from the written ones in payload or header
     * @param gaps places where the sequence is not the one before plus one
     * @param damaged places without a readable frame
     * @param finding the first fault, in words; null for none
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
        /** Returns a topic that cannot be read: each number up to the highest has passed it, as far as its end of the chain knows. */
        public static Topic counted(String topic, long highest) {
            return new Topic(topic, highest, highest, 0, 0, 0, 0, 0, 0, null);
        }

        /** Returns the topic for the messages up to a number, as later ones may be absent. */
        public Topic upTo(long number) {
            return new Topic(topic, frames, number, missing, duplicated, reordered, altered, gaps, damaged, finding);
        }

        /** {@return whether every message up to the highest is present once, in order and intact} */
        public boolean isClean() {
            return finding == null;
        }
    }
}
