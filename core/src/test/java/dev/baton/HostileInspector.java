package dev.baton;

import dev.baton.spi.FrameHandler;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicInspector;
import java.util.Map;

/** Reads what is stored in a {@link HostileTransport}'s topic beside those that use it. Single-threaded. */
final class HostileInspector implements TopicInspector {
    private final HostileTransport.Topic topic;
    private int next;

    HostileInspector(HostileTransport.Topic topic) {
        this.topic = topic;
        this.next = topic.removed;
    }

    @Override
    public int read(FrameHandler handler, int limit) {
        int taken = 0;
        while (taken < limit && next < topic.stored) {
            handler.onFrame(HostileTransport.view(topic.get(next)), next);
            next++;
            taken++;
        }
        return taken;
    }

    @Override
    public long newestSequence() {
        return topic.stored;
    }

    @Override
    public Map<String, Long> acknowledged() {
        return topic.acknowledged;
    }

    @Override
    public InputRef inputOf(long sequence) {
        InputRef input = topic.inputs.at(sequence);
        return input == null ? InputRef.UNKNOWN : input;
    }

    @Override
    public void close() {}
}
