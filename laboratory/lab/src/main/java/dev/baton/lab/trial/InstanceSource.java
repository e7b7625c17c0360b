package dev.baton.lab.trial;

import dev.baton.Outlet;
import dev.baton.Source;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.MessageSource;

/** Turns an instance's generator on the loop of its chain. Confined to that loop. */
final class InstanceSource implements Source {
    private final MessageSource generator;
    private final ClaimSender sender;

    InstanceSource(ChainEnds instance) {
        generator = instance.generator();
        sender = new ClaimSender(instance.pattern());
    }

    @Override
    public int onTick(Outlet out) {
        return generator.onTurn(sender.into(out));
    }

    @Override
    public long deadlineNanos() {
        return generator.deadlineNanos();
    }
}
