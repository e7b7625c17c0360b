package dev.baton.lab.study.transit;

import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.MessageSink;

/** A sink that binds the thread which hands it messages. Confined to that thread. */
final class PinnedSink implements MessageSink {
    private final MessageSink sink;
    private final ThreadPin pin;

    PinnedSink(MessageSink sink, ThreadPin pin) {
        this.sink = sink;
        this.pin = pin;
    }

    @Override
    public void onMessage(long originNanos, int tag, int hops, int length, PayloadPattern.Origin payload) {
        pin.bind();
        sink.onMessage(originNanos, tag, hops, length, payload);
    }
}
