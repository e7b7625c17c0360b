package dev.baton.aeron;

import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.ThreadConfinement;
import dev.baton.spi.TopicWriter;

/** A writer that says what it found at the end of its topic. Confined to the thread that opened it. */
abstract class RecoveredWriter extends ThreadConfinement implements TopicWriter {
    /** The end of the topic, as it was found. */
    final LogEnd atOpen;

    private final byte[] mergedAtOpen;
    private final byte[] tickAtOpen;

    RecoveredWriter(String topic, LogEnd atOpen) {
        super("this writer of topic '" + topic + "'");
        this.atOpen = atOpen;
        mergedAtOpen = atOpen.field(Extension.MERGED);
        tickAtOpen = atOpen.field(Extension.TICK);
    }

    @Override
    public long causeAtOpen() {
        Frame frame = atOpen.frame();
        return frame == null ? 0 : frame.cause();
    }

    @Override
    public long originAtOpen() {
        Frame frame = atOpen.frame();
        return frame == null ? 0 : frame.originNanos();
    }

    @Override
    public boolean isCauseAtOpenComplete() {
        return atOpen.isComplete();
    }

    @Override
    public byte[] mergedAtOpen() {
        return mergedAtOpen;
    }

    @Override
    public byte[] tickAtOpen() {
        return tickAtOpen;
    }

    @Override
    public InputRef inputAtOpen() {
        return atOpen.input();
    }

    @Override
    public Incarnation predecessor() {
        return atOpen.predecessor();
    }
}
