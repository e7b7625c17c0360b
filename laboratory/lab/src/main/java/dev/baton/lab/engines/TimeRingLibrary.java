package dev.baton.lab.engines;

import com.lmax.disruptor.RingBuffer;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.MessageSink;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One ring of the Disruptor between two threads, whose events carry the time that a message was due and its tag.
 *
 * @param services that messages are said to have passed: the accumulator is the one there is
 * @param place where the two threads run, for a person
 */
record TimeRingLibrary(Pause pause, int services, String place) implements ReferenceRig.Library {
    /** The slots of the ring: 1.6 s of messages at 10,000 per second before the producer has to wait. */
    private static final int SLOTS = 1 << 14;

    /** The content of a slot: created once, written by the producer, visible through the ring's sequence. */
    private static final class TimeEvent {
        private long slotNanos;
        private int tag;
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("engine", "reference: the Disruptor, single producer, its own event processor");
        properties.put("threads", "a producer and an accumulator; without work they " + rest() + "; " + place);
        properties.put("durability", "memory only: lost with the ring");
        properties.put("acknowledgement", "none");
        properties.put(
                "configuration",
                "slots=" + SLOTS + ", "
                        + RingStage.waitStrategy(pause).getClass().getSimpleName()
                        + ", two fields to an event, on the heap");
        return properties;
    }

    @Override
    public List<ReferenceStage> stages(ChainEnds ends, List<String> topics) {
        RingBuffer<TimeEvent> ring =
                RingBuffer.createSingleProducer(TimeEvent::new, SLOTS, RingStage.waitStrategy(pause));
        MessageSink sink = ends.receiver();
        return List.of(
                new ReferenceStage.Feeding(ends.generator(), new TimeInlet(ring), pause),
                new RingStage<>(
                        ring,
                        (event, sequence, isLast) ->
                                sink.onMessage(event.slotNanos, event.tag, services, 0, Round.NO_PAYLOAD),
                        () -> {}));
    }

    /** Publishes when a slot is free. Confined to the producer's thread. */
    private record TimeInlet(RingBuffer<TimeEvent> ring) implements ReferenceStage.Inlet {
        @Override
        public boolean trySend(long number, long originNanos, int tag) {
            if (!ring.hasAvailableCapacity(1)) {
                return false;
            }
            long sequence = ring.next();
            try {
                TimeEvent event = ring.get(sequence);
                event.slotNanos = originNanos;
                event.tag = tag;
            } finally {
                ring.publish(sequence);
            }
            return true;
        }
    }
}
