package dev.baton.lab.study.selftest;

import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicReader.TopicStart;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A loop's access to the faulty topics, which stalls its thread as the study requires. The topics that a thread opens determine its role:
 * the generator's writes the first, the service's reads it, the receiver's reads the last. Confined to its loop, except {@link #wake}.
 */
final class FaultyConnection implements Connection {
    private final FaultyTransport transport;
    final Witness witness;
    private final List<FaultyTopic> opened = new ArrayList<>();
    private final List<FaultyTopic> reading = new ArrayList<>();
    private final List<PlantedFault> stalls = new ArrayList<>(); // still to come

    FaultyConnection(FaultyTransport transport) {
        this.transport = transport;
        witness = new Witness(transport.window);
    }

    @Override
    public Opening<TopicWriter> beginWriter(String name, String topology) {
        return Opening.atOnce(() -> {
            FaultyTopic topic = opened(name);
            if (topic.isFirst) {
                expectStalls(topic, PlantedFault.Place.GENERATOR);
            }
            return topic;
        });
    }

    @Override
    public Opening<TopicReader> beginReader(String name, String consumer, StartPosition from) {
        return Opening.atOnce(() -> {
            FaultyTopic topic = opened(name);
            reading.add(topic);
            expectStalls(topic, topic.isLast ? PlantedFault.Place.RECEIVER : PlantedFault.Place.SERVICE);
            return new Reader(topic);
        });
    }

    private FaultyTopic opened(String name) {
        FaultyTopic topic = transport.topics.get(name);
        if (topic == null) {
            throw new TransportException("there is no topic " + name);
        }
        opened.add(topic);
        return topic;
    }

    private void expectStalls(FaultyTopic topic, PlantedFault.Place place) {
        transport.study.of(topic.instance, PlantedFault.Kind.STALL).stream()
                .filter(stall -> stall.place() == place)
                .forEach(stalls::add);
    }

    /** {@return whether one of its topics belongs to this instance} To be called after the end of the loop. */
    boolean serves(int instance) {
        return opened.stream().anyMatch(topic -> topic.instance == instance);
    }

    @Override
    public int doWork() {
        witness.turn(System.nanoTime());
        if (!stalls.isEmpty() && transport.window.isStarted()) {
            stalls.removeIf(this::stood);
        }
        return 0;
    }

    /** Waits until the end of a stall that has begun. */
    private boolean stood(PlantedFault stall) {
        long begin = transport.window.measureNanos() + stall.atNanos();
        if (System.nanoTime() - begin < 0) {
            return false;
        }
        long end = begin + stall.nanos();
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        witness.stoodUntil(end, System.nanoTime());
        return true;
    }

    @Override
    public void await(long nanos) {
        long now = System.nanoTime();
        long wait = nanos;
        for (FaultyTopic topic : reading) {
            long release = topic.nextReleaseNanos();
            if (release != Long.MAX_VALUE) {
                wait = Math.min(wait, release - now);
            }
        }
        if (!stalls.isEmpty() && transport.window.isStarted()) {
            for (PlantedFault stall : stalls) {
                wait = Math.min(wait, transport.window.measureNanos() + stall.atNanos() - now);
            }
        }
        if (wait > 0) {
            witness.beginWait(now, wait);
            LockSupport.parkNanos(wait);
            witness.endWait(System.nanoTime());
        }
    }

    @Override
    public void wake() {
        witness.woken(System.nanoTime());
    }

    @Override
    public void close() {}

    /** Reads a faulty topic, without the delayed messages. Confined to its loop. */
    private record Reader(FaultyTopic topic) implements TopicReader {
        @Override
        public int poll(FrameHandler handler, int limit) {
            if (limit < 1) {
                throw new IllegalArgumentException("a limit of " + limit + "; 1 or more is allowed");
            }
            int count = 0;
            while (count < limit) {
                byte[] next = topic.next(System.nanoTime());
                if (next == null) {
                    break;
                }
                Frame frame = FaultyTopic.view(next);
                if (handler.onFrame(frame, frame.sequence()) == FrameHandler.Verdict.RETRY) {
                    break;
                }
                topic.remove();
                count++;
            }
            return count;
        }

        @Override
        public void acknowledge(long position) {
            // nothing is kept
        }

        @Override
        public TopicStart found() {
            return new TopicStart(0, UNKNOWN, 0);
        }

        @Override
        public void close() {}
    }
}
