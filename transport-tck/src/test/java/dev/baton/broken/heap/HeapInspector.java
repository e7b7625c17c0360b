package dev.baton.broken.heap;

import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicInspector;
import java.util.Map;

/** A look at a topic of a {@link DurableHeap} from its oldest frame on. Confined to the thread that opened it. */
public class HeapInspector extends Confined implements TopicInspector {
    public final HeapTopic topic;
    public long read;

    private final Frame frame = new Frame();
    private Incarnation writer; // of the frame handed over last

    public HeapInspector(HeapTopic topic) {
        super("this look at topic '" + topic.name + "'");
        this.topic = topic;
        read = Math.max(0, topic.published() - HeapTopic.SLOTS);
    }

    @Override
    public int read(FrameHandler handler, int limit) {
        check();
        if (limit < 1) {
            throw new IllegalArgumentException("a look hands over at least 1 frame, not " + limit);
        }
        int taken = 0;
        while (taken < limit && read < topic.published()) {
            Incarnation met = topic.writers().at(read + 1);
            if (met != writer) {
                writer = met;
                handler.onWriter(met);
            }
            if (handler.onFrame(topic.aim(frame, read + 1), read + 1) == Verdict.RETRY) {
                break;
            }
            read++;
            taken++;
        }
        return taken;
    }

    @Override
    public long newestSequence() {
        check();
        return topic.published();
    }

    @Override
    public Map<String, Long> acknowledged() {
        check();
        return topic.acknowledged();
    }

    @Override
    public void close() {
        disown();
    }
}
