package dev.baton.lab.engines;

import dev.baton.measuring.rig.MessageSource;

/** Feeds a chain: turns its source when something is due, and sleeps until then. */
final class SourceStage implements Stage {
    private final MessageSource source;
    private final EngineInlet inlet;
    private final Pause pause;

    SourceStage(MessageSource source, EngineInlet inlet, Pause pause) {
        this.source = source;
        this.inlet = inlet;
        this.pause = pause;
    }

    @Override
    public void open() {
        inlet.open();
    }

    @Override
    public void run(StopSignal stop) {
        while (!stop.isSet()) {
            if (source.onTurn(inlet) == 0) {
                pause.restUntil(source.deadlineNanos());
            }
        }
    }

    @Override
    public boolean isStored() {
        return inlet.isStored();
    }

    @Override
    public void close() {
        inlet.close();
    }
}
