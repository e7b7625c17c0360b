package dev.baton.lab.engines;

import dev.baton.measuring.rig.MessageSource;

/** Feeds a chain: turns its source when something is due, and sleeps until then. */
final class SourceStage implements Stage {
    private final MessageSource source;
    private final Entrance entrance;
    private final Pause pause;

    SourceStage(MessageSource source, Entrance entrance, Pause pause) {
        this.source = source;
        this.entrance = entrance;
        this.pause = pause;
    }

    @Override
    public void open() {
        entrance.open();
    }

    @Override
    public void run(StopSignal stop) {
        while (!stop.isSet()) {
            if (source.onTurn(entrance) == 0) {
                pause.restUntil(source.deadlineNanos());
            }
        }
    }

    @Override
    public void close() {
        entrance.close();
    }
}
