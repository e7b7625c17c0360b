package dev.baton.lab.study.transit;

import dev.baton.measuring.rig.MessageSource;
import dev.baton.measuring.rig.Sender;

/** A source that binds the thread which turns it. Confined to that thread. */
final class PinnedSource implements MessageSource {
    private final MessageSource source;
    private final ThreadPin pin;

    PinnedSource(MessageSource source, ThreadPin pin) {
        this.source = source;
        this.pin = pin;
    }

    @Override
    public int onTurn(Sender sender) {
        pin.bind();
        return source.onTurn(sender);
    }

    @Override
    public long deadlineNanos() {
        return source.deadlineNanos();
    }
}
