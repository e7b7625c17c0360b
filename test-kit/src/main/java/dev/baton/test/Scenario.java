package dev.baton.test;

import dev.baton.spi.Incarnation;
import dev.baton.test.memory.MemoryTopic;
import java.util.ArrayList;
import java.util.List;

/** The steps of a test, which can be repeated: its inputs and the time that passed between them. Single-threaded. */
final class Scenario {
    /**
     * Inputs that came together, or time that passed.
     *
     * @param inputs empty where time passes
     * @param nanos 0 where inputs come
     */
    record Step(List<Input> inputs, long nanos) {}

    /** A frame of the first topic, and its writer. */
    record Input(byte[] frame, Incarnation author) {}

    private final List<Step> steps = new ArrayList<>();
    private long inputs;

    /** Records the inputs that the topic has received since the last call. */
    void note(MemoryTopic first) {
        List<Input> news = new ArrayList<>();
        for (long next = inputs + 1; next <= first.size(); next++) {
            news.add(new Input(first.frame(next), first.author(next)));
        }
        if (!news.isEmpty()) {
            inputs += news.size();
            steps.add(new Step(List.copyOf(news), 0));
        }
    }

    /** Records that time passes. */
    void note(long nanos) {
        steps.add(new Step(List.of(), nanos));
    }

    List<Step> steps() {
        return steps;
    }

    long inputs() {
        return inputs;
    }
}
