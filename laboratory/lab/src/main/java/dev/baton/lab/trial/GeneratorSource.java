package dev.baton.lab.trial;

import dev.baton.Outlet;
import dev.baton.Source;
import dev.baton.measuring.rig.MessageSource;
import dev.baton.measuring.rig.Sender;

/** Turns an instance's generator on the loop of its chain; a subclass sends its messages. Confined to that loop. */
abstract class GeneratorSource implements Source, Sender {
    private final MessageSource generator;
    Outlet out;

    GeneratorSource(MessageSource generator) {
        this.generator = generator;
    }

    @Override
    public final int onTick(Outlet outlet) {
        if (out != outlet) {
            out = outlet;
        }
        return generator.onTurn(this);
    }

    @Override
    public final long deadlineNanos() {
        return generator.deadlineNanos();
    }
}
