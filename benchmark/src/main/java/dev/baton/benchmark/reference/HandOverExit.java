package dev.baton.benchmark.reference;

import dev.baton.benchmark.measure.PayloadPattern;
import dev.baton.benchmark.rig.MessageSink;

/** Takes what is handed over. A message has no payload here, no tag and no hops. Confined to the receiving thread. */
final class HandOverExit extends TurningStage implements PayloadPattern.Origin {
    private final HandOver handOver;
    private final MessageSink sink;

    HandOverExit(HandOver handOver, MessageSink sink, Pause pause) {
        super(pause);
        this.handOver = handOver;
        this.sink = sink;
    }

    @Override
    boolean turn() {
        long slotNanos = handOver.take();
        if (slotNanos == HandOver.NOTHING) {
            return false;
        }
        sink.onMessage(slotNanos, 0, 0, 0, this);
        handOver.giveBack();
        return true;
    }

    @Override
    public long getLong(int index) {
        throw new IndexOutOfBoundsException("there is no payload, and so no byte " + index);
    }

    @Override
    public byte getByte(int index) {
        throw new IndexOutOfBoundsException("there is no payload, and so no byte " + index);
    }
}
