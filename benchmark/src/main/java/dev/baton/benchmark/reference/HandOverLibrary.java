package dev.baton.benchmark.reference;

import dev.baton.benchmark.rig.ChainEnds;
import java.util.List;
import java.util.Map;

/** No library at all: one volatile number between two threads. */
final class HandOverLibrary implements Library {
    private final Pause pause;

    HandOverLibrary(Pause pause) {
        this.pause = pause;
    }

    @Override
    public Map<String, String> facts() {
        return Map.of("copies", "none: one number, from one cache line to another");
    }

    @Override
    public String rest() {
        return pause.toString();
    }

    @Override
    public void createTopics(List<String> names) {}

    /** The sending thread and the receiving one: there is one topic, and no service. */
    @Override
    public List<Stage> stages(ChainEnds ends, List<String> topics) {
        HandOver handOver = new HandOver();
        HandOverEntrance entrance = new HandOverEntrance(handOver, ends.generator());
        return List.of(new SourceStage(entrance, entrance, pause), new HandOverExit(handOver, ends.receiver(), pause));
    }

    @Override
    public void close() {}
}
