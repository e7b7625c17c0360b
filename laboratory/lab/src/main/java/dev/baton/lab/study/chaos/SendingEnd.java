package dev.baton.lab.study.chaos;

import dev.baton.Deployment;
import dev.baton.PartStatus;
import dev.baton.RunningChain;

/** The sender: feeds the chain on a fixed schedule, and tells what the transport vouches for. Threads as its parent. */
final class SendingEnd extends ChainEnd {
    private NumberedSource source;
    private boolean hasBegun;
    private long base;
    private long told;

    SendingEnd(EndPlan plan) {
        super(plan);
        base = plan.baseNanos();
    }

    @Override
    Deployment attach(Deployment chain) {
        source = new NumberedSource(plan().seed(), plan().intervalNanos(), plan().deleted(), base);
        hasBegun = false;
        return chain.from(source);
    }

    @Override
    String news(RunningChain running) {
        if (source.first() < 0) {
            return null;
        }
        if (!hasBegun) {
            hasBegun = true;
            base = source.baseNanos();
            return SenderWords.began(source.first(), base);
        }
        long stored = plan().deleted()
                + running.status().parts().stream()
                        .mapToLong(PartStatus::stored)
                        .findFirst()
                        .orElse(0);
        if (stored <= Math.max(told, plan().deleted())) {
            return null;
        }
        told = stored;
        return SenderWords.stored(stored);
    }

    @Override
    void detach() {}
}
