package dev.baton.lab.engines.cooperative;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import dev.baton.lab.engines.HopEvent;
import dev.baton.lab.engines.PassedOptions;
import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.ChainEnds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The stages over the Disruptor: a single-producer ring for each hop, its events read and written in batches. */
final class RingSteps implements StepLibrary {
    private final int slots;
    private final int payloadBytes;
    private final int batch;
    private final String unused;

    RingSteps(PassedOptions settings, int payloadBytes, int batch) {
        slots = settings.integer("slots");
        this.payloadBytes = payloadBytes;
        this.batch = batch;
        unused = settings.unused();
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("durability", "memory only: lost with the rings");
        properties.put("acknowledgement", "none: a stage's sequence frees its slots after each batch");
        properties.put("batching", "up to " + batch + " events are read, and published together");
        properties.put("copies", "one for each hop: fields and payload, from event to event");
        properties.put(
                "configuration",
                "slots=" + slots + ", single producer, events on the heap with " + payloadBytes
                        + " bytes of payload, the header of Baton's frame as fields" + unused);
        return properties;
    }

    @Override
    public void createTopics(List<String> names) {
        // a ring exists once its chain does
    }

    @Override
    public Chain chain(ChainEnds ends, List<String> topics, List<Io> ios) {
        List<RingBuffer<HopEvent>> rings = new ArrayList<>();
        topics.forEach(topic -> rings.add(
                RingBuffer.createSingleProducer(() -> new HopEvent(payloadBytes), slots, new BusySpinWaitStrategy())));
        List<LoopStep> steps = new ArrayList<>();
        for (int i = 1; i < rings.size(); i++) {
            steps.add(new Relay(rings.get(i - 1), rings.get(i), ends.work(i)));
        }
        steps.add(new Exit(rings.get(rings.size() - 1), ends));
        return new Chain(new Entry(rings.get(0), ends.pattern()), steps);
    }

    @Override
    public void close() {}

    /** Reads a ring in batches. */
    private abstract class Reading implements LoopStep {
        final RingBuffer<HopEvent> from;
        private final Sequence position = new Sequence();
        private long next; // of the event to read

        Reading(RingBuffer<HopEvent> from) {
            this.from = from;
            from.addGatingSequences(position);
            next = position.get() + 1;
        }

        @Override
        public final int turn() {
            int there = (int) Math.min(batch, from.getCursor() + 1 - next);
            int count = there <= 0 ? 0 : take(next, there);
            if (count > 0) {
                next += count;
                position.set(next - 1);
            }
            return count;
        }

        /** Takes events from a sequence on. @return those taken, which may be fewer */
        abstract int take(long first, int count);
    }

    /** A service: copies each event into the next ring. */
    private final class Relay extends Reading {
        private final RingBuffer<HopEvent> to;
        private final Runnable work;

        Relay(RingBuffer<HopEvent> from, RingBuffer<HopEvent> to, Runnable work) {
            super(from);
            this.to = to;
            this.work = work;
        }

        @Override
        int take(long first, int there) {
            int count = to.hasAvailableCapacity(there) ? there : (int) to.remainingCapacity();
            if (count == 0) {
                return 0;
            }
            long last = to.next(count);
            long place = last - count + 1;
            for (int i = 0; i < count; i++) {
                work.run();
                to.get(place + i).passOn(from.get(first + i), place + i);
            }
            to.publish(place, last);
            return count;
        }
    }

    /** Hands each event to the receiver. */
    private final class Exit extends Reading {
        private final ChainEnds ends;

        Exit(RingBuffer<HopEvent> from, ChainEnds ends) {
            super(from);
            this.ends = ends;
        }

        @Override
        int take(long first, int count) {
            for (int i = 0; i < count; i++) {
                from.get(first + i).deliverTo(ends.receiver());
            }
            return count;
        }
    }

    /** Claims slots one by one and publishes them together. */
    private static final class Entry implements LoopStep.Entry {
        private final RingBuffer<HopEvent> ring;
        private final PayloadPattern pattern;
        private long published = -1;
        private long claimed = -1;

        Entry(RingBuffer<HopEvent> ring, PayloadPattern pattern) {
            this.ring = ring;
            this.pattern = pattern;
        }

        @Override
        public boolean trySend(long number, long originNanos, int tag) {
            if (!ring.hasAvailableCapacity(1)) {
                return false;
            }
            claimed = ring.next();
            ring.get(claimed).begin(claimed + 1, number, originNanos, tag, pattern);
            return true;
        }

        @Override
        public boolean flush() {
            if (claimed > published) {
                ring.publish(published + 1, claimed);
                published = claimed;
            }
            return true;
        }
    }
}
