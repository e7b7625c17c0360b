package dev.baton.lab.trial.ends;

import dev.baton.Outlet;
import dev.baton.Source;
import dev.baton.measuring.rig.MessageSource;

/** Turns an instance's generator on the loop of its chain. Confined to that loop. */
public final class GeneratorSource implements Source {
    private final MessageSource generator;
    private final ClaimingSender sender;
    private Outlet out; // of the turn before

    public GeneratorSource(MessageSource generator, ClaimingSender sender) {
        this.generator = generator;
        this.sender = sender;
    }

    @Override
    public int onTick(Outlet outlet) {
        if (out != outlet) {
            out = outlet;
            sender.enterBy(outlet::claim);
        }
        return generator.onTurn(sender);
    }

    @Override
    public long deadlineNanos() {
        return generator.deadlineNanos();
    }
}
