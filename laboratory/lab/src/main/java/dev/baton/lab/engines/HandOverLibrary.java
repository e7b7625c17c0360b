package dev.baton.lab.engines;

import dev.baton.measuring.Schedule;
import dev.baton.measuring.rig.ChainEnds;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** No library at all: one volatile number between two threads. */
final class HandOverLibrary implements Library {
    private final Pause pause;
    private final Supplier<Schedule> schedules;

    HandOverLibrary(Pause pause, Supplier<Schedule> schedules) {
        this.pause = pause;
        this.schedules = schedules;
    }

    @Override
    public Map<String, String> properties() {
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
        return List.of(
                new SourceStage(ends.generator(), new HandOverInlet(handOver), pause),
                new HandOverExit(handOver, schedules, ends.receiver(), pause));
    }

    @Override
    public void close() {}
}
