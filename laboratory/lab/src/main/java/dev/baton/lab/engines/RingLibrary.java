package dev.baton.lab.engines;

import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.RingBuffer;
import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.ChainEnds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** The reference over the Disruptor: a single-producer ring of preallocated events and an event handler for each hop. */
record RingLibrary(Pause pause, int slots, int payloadBytes, String unused) implements ReferenceRig.Library {
    RingLibrary(PassedOptions settings, Pause pause, int payloadBytes) {
        this(pause, settings.integer("slots"), payloadBytes, settings.unused());
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("durability", "memory only: lost with the rings");
        properties.put("acknowledgement", "none: a handler's sequence frees its slots after each batch");
        properties.put("batching", "handlers see batches, and publish each message separately");
        properties.put("copies", "one for each hop: fields and payload, from event to event");
        properties.put(
                "configuration",
                "slots=" + slots + ", single producer, "
                        + RingStage.waitStrategy(pause).getClass().getSimpleName()
                        + ", events on the heap with " + payloadBytes
                        + " bytes of payload, the header of Baton's frame as fields"
                        + unused);
        return properties;
    }

    @Override
    public List<ReferenceStage> stages(ChainEnds ends, List<String> topics) {
        List<RingBuffer<HopEvent>> rings = new ArrayList<>();
        topics.forEach(topic -> rings.add(RingBuffer.createSingleProducer(
                () -> new HopEvent(payloadBytes), slots, RingStage.waitStrategy(pause))));
        return ReferenceStage.chain(
                ends,
                rings,
                new ReferenceStage.Feeding(ends.generator(), new Inlet(rings.get(0), ends.pattern()), pause),
                RingLibrary::relay,
                new RingStage<>(
                        rings.get(rings.size() - 1),
                        (event, sequence, isLast) -> event.deliverTo(ends.receiver()),
                        () -> {}));
    }

    private static ReferenceStage relay(RingBuffer<HopEvent> from, RingBuffer<HopEvent> to, Runnable work) {
        Relay relay = new Relay(to, work);
        return new RingStage<>(from, relay, relay::giveUp);
    }

    /** Publishes into a chain's first ring, when a slot is free. */
    record Inlet(RingBuffer<HopEvent> ring, PayloadPattern pattern) implements ReferenceStage.Inlet {
        @Override
        public boolean trySend(long number, long originNanos, int tag) {
            if (!ring.hasAvailableCapacity(1)) {
                return false;
            }
            long sequence = ring.next();
            try {
                ring.get(sequence).begin(sequence + 1, number, originNanos, tag, pattern);
            } finally {
                ring.publish(sequence);
            }
            return true;
        }
    }

    /**
     * A service: copies each event into the next ring. Where that is full it waits as the library does, but not for ever: the
     * reader of the next ring may have stopped. Confined to its processor's thread, but for {@link #giveUp}.
     */
    static final class Relay implements EventHandler<HopEvent> {
        private final RingBuffer<HopEvent> next;
        private final Runnable work;
        private volatile boolean isGivenUp;

        Relay(RingBuffer<HopEvent> next, Runnable work) {
            this.next = next;
            this.work = work;
        }

        @Override
        public void onEvent(HopEvent event, long sequence, boolean isLastOfBatch) {
            work.run();
            while (!next.hasAvailableCapacity(1)) {
                if (isGivenUp) {
                    return;
                }
                LockSupport.parkNanos(1);
            }
            long place = next.next();
            try {
                next.get(place).passOn(event, place);
            } finally {
                next.publish(place);
            }
        }

        /** Drops from now on the messages that find no room. */
        void giveUp() {
            isGivenUp = true;
        }
    }
}
