package dev.baton.operations.replay;

import dev.baton.operations.verify.ChainTopic;
import dev.baton.spi.Cause;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * Follows one message through the topics of its chain: back by its cause, and forward by the causes that name it. Reads each topic
 * once: those before the message up to its cause, and those behind it to their ends. Confined to one thread.
 */
final class MessageTrace {
    /**
     * A message on its way.
     *
     * @param epochNanos when it was sent; 0 if unknown
     * @param isAsked whether it is the requested message
     */
    record Stop(
            String topic,
            long sequence,
            long cause,
            boolean isOfTick,
            int type,
            int bytes,
            long epochNanos,
            boolean isAsked) {}

    /** The most messages of a topic that are followed. */
    static final int MAX_STOPS = 100;

    private static final int READ_LIMIT = 1024;

    private final Transport transport;
    private final Set<String> topics;
    private final BooleanSupplier isStopped;
    private boolean isCut;

    MessageTrace(Transport transport, Set<String> topics, BooleanSupplier isStopped) {
        this.transport = transport;
        this.topics = topics;
        this.isStopped = isStopped;
    }

    /** {@return whether more messages followed from it than the trace shows} */
    boolean isCut() {
        return isCut;
    }

    /** The stops from the first topic to the last; empty when the topic does not hold the message. */
    List<Stop> of(String topic, long sequence) {
        List<Stop> way = new ArrayList<>(read(topic, Set.of(sequence), false, true));
        if (way.isEmpty()) {
            return way;
        }
        Stop first = way.get(0);
        String before = neighbour(topic, -1);
        while (before != null && first.cause() > 0 && !first.isOfTick()) { // a tick names the last input before it
            List<Stop> causes = read(before, Set.of(first.cause()), false, false);
            if (causes.isEmpty()) {
                break;
            }
            first = causes.get(0);
            way.add(0, first);
            before = neighbour(before, -1);
        }
        Set<Long> followed = new TreeSet<>(Set.of(sequence));
        for (String next = neighbour(topic, 1); next != null && !followed.isEmpty(); next = neighbour(next, 1)) {
            List<Stop> outputs = read(next, followed, true, false);
            way.addAll(outputs);
            followed = new TreeSet<>(outputs.stream().map(Stop::sequence).toList());
        }
        return way;
    }

    /** Returns the partition with the same number of another topic of the chain; null when it does not exist. */
    private String neighbour(String topic, int distance) {
        ChainTopic name = ChainTopic.of(topic);
        return name.number() >= 0 && topics.contains(name.neighbour(distance)) ? name.neighbour(distance) : null;
    }

    /** The messages with these sequences, or with these as causes. */
    private List<Stop> read(String topic, Set<Long> wanted, boolean byCause, boolean isAsked) {
        long last = wanted.stream().mapToLong(each -> each).max().orElseThrow();
        Search search = new Search(topic, wanted, last, byCause, isAsked);
        try (TopicInspector inspector = transport.inspect(topic)) {
            while (!search.isBehind && !isStopped.getAsBoolean() && inspector.read(search, READ_LIMIT) > 0) {
                // continues
            }
        }
        return search.found;
    }

    private final class Search implements FrameHandler {
        private final String topic;
        private final Set<Long> wanted;
        private final long last;
        private final boolean byCause;
        private final boolean isAsked;
        private final List<Stop> found = new ArrayList<>();
        private long wallOffset;
        private boolean isBehind;

        Search(String topic, Set<Long> wanted, long last, boolean byCause, boolean isAsked) {
            this.topic = topic;
            this.wanted = wanted;
            this.last = last;
            this.byCause = byCause;
            this.isAsked = isAsked;
        }

        @Override
        public void onWriter(Incarnation writer) {
            wallOffset = writer.wallOffsetNanos();
        }

        @Override
        public Verdict onFrame(Frame frame, long position) {
            long key = byCause ? Cause.input(frame.cause()) : frame.sequence();
            if (key > last && !byCause) { // an input that was set aside is answered behind later ones
                isBehind = true;
                return Verdict.RETRY;
            }
            boolean isAnswer =
                    !byCause || !Cause.isOfTick(frame.cause()) && frame.field(Extension.MERGED) == Extension.NONE;
            if (isAnswer && wanted.contains(key) && frame.validate() == null) {
                add(frame);
            }
            return Verdict.DONE;
        }

        private void add(Frame frame) {
            if (found.size() == MAX_STOPS) {
                isCut = true;
                return;
            }
            boolean isMerged = frame.field(Extension.MERGED) != Extension.NONE;
            found.add(new Stop(
                    topic,
                    frame.sequence(),
                    isMerged ? 0 : Cause.input(frame.cause()),
                    Cause.isOfTick(frame.cause()),
                    frame.type(),
                    frame.length(),
                    wallOffset == 0 ? 0 : frame.sentNanos() + wallOffset,
                    isAsked));
        }
    }
}
