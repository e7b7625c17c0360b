package dev.baton.lab.engines;

import com.lmax.disruptor.RingBuffer;
import dev.baton.measuring.rig.ChainEnds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The reference over the Disruptor: a single-producer ring of preallocated events and an event handler for each hop. */
final class RingLibrary implements Library {
    private final int slots;
    private final Pause pause;
    private final int payloadBytes;
    private final String unused;

    RingLibrary(Settings settings, Pause pause, int payloadBytes) {
        this.slots = settings.integer("slots");
        this.pause = pause;
        this.payloadBytes = payloadBytes;
        unused = settings.unused();
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("durability", "memory only: gone with the rings");
        properties.put("acknowledgement", "none: a handler's sequence frees its slots after each batch");
        properties.put("batching", "handlers see batches, and publish each message by itself");
        properties.put("copies", "one for each hop: fields and payload, from event to event");
        properties.put(
                "configuration",
                "slots=" + slots + ", single producer, "
                        + RingWait.strategy(pause).getClass().getSimpleName()
                        + ", events on the heap with " + payloadBytes
                        + " bytes of payload, the header of Baton's frame as fields"
                        + unused);
        return properties;
    }

    @Override
    public String rest() {
        return pause.toString();
    }

    @Override
    public void createTopics(List<String> names) {}

    @Override
    public List<Stage> stages(ChainEnds ends, List<String> topics) {
        List<RingBuffer<HopEvent>> rings = new ArrayList<>();
        topics.forEach(topic -> rings.add(
                RingBuffer.createSingleProducer(() -> new HopEvent(payloadBytes), slots, RingWait.strategy(pause))));
        List<Stage> stages = new ArrayList<>();
        stages.add(new SourceStage(ends.generator(), new RingInlet(rings.get(0), ends.pattern()), pause));
        for (int i = 1; i < rings.size(); i++) {
            RingRelay relay = new RingRelay(rings.get(i));
            stages.add(new RingStage<>(rings.get(i - 1), relay, relay::giveUp));
        }
        stages.add(new RingStage<>(
                rings.get(rings.size() - 1),
                (event, sequence, isLast) ->
                        ends.receiver().onMessage(event.originNanos, event.tag, event.hops, event.length, event),
                () -> {}));
        return stages;
    }

    @Override
    public void close() {}
}
