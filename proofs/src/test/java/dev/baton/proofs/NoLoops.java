package dev.baton.proofs;

import dev.baton.engine.inlet.SourcePart;
import dev.baton.engine.inlet.ThreadInlet;
import dev.baton.engine.loop.Loop;
import dev.baton.status.ChainStatus.HeldBack;

/** The run of a chain without parts. Thread-safe. */
public final class NoLoops implements ThreadInlet.Run {
    /** Creates a run without parts. */
    public NoLoops() {}

    @Override
    public Loop[] loops() {
        return new Loop[0];
    }

    @Override
    public ThreadInlet.Opening begin(SourcePart.Pending source) {
        throw new UnsupportedOperationException("there are no loops");
    }

    @Override
    public boolean mayWait() {
        return true;
    }

    @Override
    public HeldBack holdingBack() {
        return null;
    }
}
