package dev.baton.lab.engines.cooperative;

import dev.baton.lab.engines.Header;
import dev.baton.lab.engines.StreamLibrary;
import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.ChainEnds;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.ControlledFragmentHandler;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The stages over Aeron IPC: a stream for each hop. A turn polls fragments, collects their messages and offers them again,
 * as many in one fragment as it holds: four bytes of length, header and payload of each.
 */
final class FragmentSteps implements StepLibrary {
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    private static final int LENGTH_BYTES = 4;

    private final StreamLibrary streams; // opens and removes them
    private final int batch;

    private final ThreadLocal<Deque<UnsafeBuffer>> spareOfThread = ThreadLocal.withInitial(ArrayDeque::new);

    FragmentSteps(StreamLibrary streams, int batch) {
        this.streams = streams;
        this.batch = batch;
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>(streams.properties());
        properties.put("batching", "up to " + batch + " fragments are polled; each is filled with messages");
        properties.put("copies", "two for each hop: from the log into a batch, from there into the next log");
        return properties;
    }

    @Override
    public void createTopics(List<String> names) {
        streams.createTopics(names);
    }

    @Override
    public Chain chain(ChainEnds ends, List<String> topics, List<Io> ios) {
        List<StreamLibrary.Stream> chain = new ArrayList<>();
        topics.forEach(topic -> chain.add(streams.open()));
        List<LoopStep> steps = new ArrayList<>();
        for (int i = 1; i < chain.size(); i++) {
            steps.add(new Relay(chain.get(i - 1).reader(), chain.get(i).writer(), ends.work(i)));
        }
        steps.add(new Exit(chain.get(chain.size() - 1).reader(), ends));
        return new Chain(new Entry(chain.get(0).writer(), ends.pattern()), steps);
    }

    @Override
    public void close() {
        streams.close();
    }

    /**
     * Messages on their way into one fragment. The stages of a thread use the same memory one after the other, which stays in the
     * processor's cache. Confined to the thread that writes.
     */
    private final class Staging {
        private final ExclusivePublication publication;
        private final int capacity;
        private Deque<UnsafeBuffer> spare; // of its thread; null before the first message
        private UnsafeBuffer bytes; // null between a flush and the next message
        private int used;
        private long sequence;

        Staging(ExclusivePublication publication) {
            this.publication = publication;
            capacity = publication.maxPayloadLength();
        }

        /** Makes room for so many bytes; may offer what is there. @return false when there is none */
        boolean tryMakeRoom(int length) {
            if (used + length > capacity && !flush()) {
                return false;
            }
            if (bytes == null) {
                spare = spare == null ? spareOfThread.get() : spare;
                bytes = spare.isEmpty() ? new UnsafeBuffer(new byte[capacity]) : spare.pop();
            }
            return true;
        }

        boolean flush() {
            if (used == 0) {
                return true;
            }
            if (!tryOffer()) {
                streams.turnDriver(); // which moves the limit, as far as the reader has polled
                if (!tryOffer()) {
                    return false;
                }
            }
            used = 0;
            spare.push(bytes);
            bytes = null;
            return true;
        }

        private boolean tryOffer() {
            long result = publication.offer(bytes, 0, used);
            if (result == Publication.ADMIN_ACTION) {
                result = publication.offer(bytes, 0, used); // the log has a new term now
            }
            return StreamLibrary.isGranted(result, publication);
        }

        void close() {
            publication.close();
            streams.turnDriver(); // which takes the command, so that thousands do not fill its queue
        }
    }

    /** Polls the image of a stream. */
    private abstract class Polling implements LoopStep, ControlledFragmentHandler {
        private final Subscription subscription;
        private Image image;
        private int count; // messages of the turn

        Polling(Subscription subscription) {
            this.subscription = subscription;
        }

        @Override
        public void open() {
            image = streams.image(subscription);
        }

        final int poll(int limit) {
            count = 0;
            long before = image.position();
            image.controlledPoll(this, limit);
            if (count == 0 && image.position() != before) {
                image.controlledPoll(this, limit); // the first one has passed the end of a term
            }
            return count;
        }

        @Override
        public final Action onFragment(DirectBuffer in, int from, int length, io.aeron.logbuffer.Header header) {
            if (!accepts(length)) {
                return Action.ABORT;
            }
            for (int at = from; at < from + length; ) {
                int bytes = in.getInt(at, ORDER);
                take(in, at + LENGTH_BYTES, bytes);
                at += LENGTH_BYTES + bytes;
                count++;
            }
            return Action.CONTINUE;
        }

        /** {@return whether a fragment of this length can be taken now} */
        boolean accepts(int length) {
            return true;
        }

        abstract void take(DirectBuffer in, int at, int length);

        @Override
        public void close() {
            subscription.close();
            streams.turnDriver();
        }
    }

    /** A service: copies messages into the next stream. */
    private final class Relay extends Polling {
        private final Staging out;
        private final Runnable work;

        Relay(Subscription from, ExclusivePublication to, Runnable work) {
            super(from);
            this.work = work;
            out = new Staging(to);
        }

        @Override
        public int turn() {
            int taken = poll(batch);
            return out.flush() ? taken : Math.max(1, taken); // what waits for room is work
        }

        @Override
        boolean accepts(int length) {
            return out.tryMakeRoom(length);
        }

        @Override
        void take(DirectBuffer in, int at, int length) {
            work.run();
            UnsafeBuffer bytes = out.bytes;
            bytes.putInt(out.used, length, ORDER);
            int place = out.used + LENGTH_BYTES;
            bytes.putBytes(place, in, at, length);
            bytes.putLong(place, in.getLong(at, ORDER) + Header.ONE_HOP, ORDER);
            bytes.putLong(place + Header.SEQUENCE, ++out.sequence, ORDER);
            bytes.putLong(place + Header.CAUSE, in.getLong(at + Header.SEQUENCE, ORDER), ORDER);
            out.used = place + length;
        }

        @Override
        public void close() {
            super.close();
            out.close();
        }
    }

    /** Hands messages to the receiver. */
    private final class Exit extends Polling implements PayloadPattern.Origin {
        private final ChainEnds ends;
        private DirectBuffer buffer; // of the message at hand
        private int payloadStart;

        Exit(Subscription from, ChainEnds ends) {
            super(from);
            this.ends = ends;
        }

        @Override
        public int turn() {
            return poll(batch);
        }

        @Override
        void take(DirectBuffer in, int at, int length) {
            buffer = in;
            payloadStart = at + Header.BYTES;
            long first = in.getLong(at, ORDER);
            ends.receiver()
                    .onMessage(
                            in.getLong(at + Header.ORIGIN, ORDER),
                            Header.tag(first),
                            Header.hops(first),
                            length - Header.BYTES,
                            this);
        }

        @Override
        public void copyTo(byte[] target, int length) {
            buffer.getBytes(payloadStart, target, 0, length);
        }
    }

    /** Collects the messages of a turn. */
    private final class Entry implements LoopStep.Entry {
        private final Staging out;
        private final PayloadPattern pattern;
        private byte[] scratch; // null until the first message: it belongs to the thread that sends

        Entry(ExclusivePublication publication, PayloadPattern pattern) {
            out = new Staging(publication);
            this.pattern = pattern;
        }

        @Override
        public boolean trySend(long number, long originNanos, int tag) {
            int length = Header.BYTES + pattern.length(number);
            if (!out.tryMakeRoom(LENGTH_BYTES + length)) {
                return false;
            }
            UnsafeBuffer bytes = out.bytes;
            bytes.putInt(out.used, length, ORDER);
            int place = out.used + LENGTH_BYTES;
            bytes.putLong(place, Header.first(tag), ORDER);
            bytes.putLong(place + Header.SEQUENCE, ++out.sequence, ORDER);
            bytes.putLong(place + Header.CAUSE, 0, ORDER);
            bytes.putLong(place + Header.ORIGIN, originNanos, ORDER);
            bytes.putLong(place + Header.SENT, System.nanoTime(), ORDER);
            if (scratch == null) {
                scratch = pattern.scratch();
            }
            pattern.write(number, scratch, 0);
            bytes.putBytes(place + Header.BYTES, scratch, 0, pattern.length(number));
            out.used = place + length;
            return true;
        }

        @Override
        public boolean flush() {
            return out.flush();
        }

        @Override
        public void close() {
            out.close();
        }
    }
}
