package dev.baton.jmh;

import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.RingBuffer;
import dev.baton.disruptor.DisruptorTransport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** A hop through a ring of 1024 slots: Baton's byte slots compared with the reference's objects. */
public class DisruptorHop extends TopicHop {
    private static final int SLOTS = 1024;

    private RingBuffer<Event> ring;
    private EventPoller<Event> poller;
    private long number;
    private long sum;

    /** Opens both. */
    @Setup
    public void open() {
        openBaton(DisruptorTransport.create());
        ring = RingBuffer.createSingleProducer(() -> new Event(payload), SLOTS);
        poller = ring.newPoller();
        ring.addGatingSequences(poller.getSequence());
    }

    /** Next, publish, and the library's own poller. */
    @Override
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public long reference() throws Exception {
        for (int done = 0; done < MESSAGES; done += batch) {
            long last = ring.next(batch);
            for (long place = last - batch + 1; place <= last; place++) {
                ring.get(place).fill(place + 1, ++number);
            }
            ring.publish(last - batch + 1, last);
            poller.poll((event, sequence, isLast) -> {
                sum += event.sum();
                return true;
            });
        }
        return sum;
    }

    /** Publishes and polls batches with the library's own calls. */
    @Override
    public long cooperative() throws Exception {
        return reference();
    }

    @TearDown
    public void close() {
        closeBaton();
    }

    /** An event with the bytes of a frame: 40 of header, and the payload. */
    static final class Event {
        private int hops;
        private int type;
        private long sequence;
        private long cause;
        private long originNanos;
        private long sentNanos;
        private final long[] payload;

        Event(int payloadBytes) {
            payload = new long[payloadBytes / Long.BYTES];
        }

        void fill(long place, long value) {
            hops = 1;
            type = 2;
            sequence = place;
            cause = value;
            originNanos = value;
            sentNanos = value;
            for (int i = 0; i < payload.length; i++) {
                payload[i] = value;
            }
        }

        void copy(Event other) {
            hops = other.hops + 1;
            type = other.type;
            sequence = other.sequence;
            cause = other.cause;
            originNanos = other.originNanos;
            sentNanos = other.sentNanos;
            System.arraycopy(other.payload, 0, payload, 0, payload.length);
        }

        long sum() {
            long sum = hops + type + sequence + cause + originNanos + sentNanos;
            for (long each : payload) {
                sum += each;
            }
            return sum;
        }
    }
}
