package dev.baton.test.memory;

import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.support.ThreadConfinement;
import java.util.Map;

/** An inspector of a topic in memory. Confined to the thread that opened it. */
final class MemoryInspector extends ThreadConfinement implements TopicInspector {
    private final MemoryTopic topic;
    private final Frame frame = new Frame();
    private Incarnation writer; // of the frame handed over last
    private long read;

    MemoryInspector(MemoryTopic topic) {
        super("this look at topic '" + topic.name + "'");
        this.topic = topic;
    }

    @Override
    public int read(FrameHandler handler, int limit) {
        check();
        if (limit < 1) {
            throw new IllegalArgumentException("limit of " + limit + " frames; at least 1 is allowed");
        }
        int taken = 0;
        while (taken < limit && read < topic.size()) {
            long next = read + 1;
            Incarnation met = topic.author(next);
            if (met != writer) {
                writer = met;
                handler.onWriter(met);
            }
            if (handler.onFrame(MemoryTopic.view(frame, topic.frame(next)), next) == FrameHandler.Verdict.RETRY) {
                break;
            }
            read = next;
            taken++;
        }
        return taken;
    }

    @Override
    public long newestSequence() {
        check();
        return topic.size();
    }

    @Override
    public Map<String, Long> acknowledged() {
        check();
        return topic.acknowledged();
    }

    @Override
    public InputRef inputOf(long sequence) {
        check();
        return topic.input(sequence);
    }

    @Override
    public void close() {
        release();
    }
}
