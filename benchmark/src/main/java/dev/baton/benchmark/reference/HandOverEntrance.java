package dev.baton.benchmark.reference;

import dev.baton.benchmark.rig.MessageSource;
import dev.baton.benchmark.rig.Sender;

/**
 * Hands over the slot of each message, which is all that the receiver is told. Turns the source, so that it can look for
 * what comes back while nothing is due. Confined to the sending thread.
 */
final class HandOverEntrance implements Entrance, MessageSource {
    private final HandOver handOver;
    private final MessageSource source;

    HandOverEntrance(HandOver handOver, MessageSource source) {
        this.handOver = handOver;
        this.source = source;
    }

    @Override
    public boolean trySend(long number, long originNanos, int tag) {
        return handOver.tryGive(originNanos);
    }

    @Override
    public int onTurn(Sender sender) {
        int sent = source.onTurn(sender);
        if (sent == 0) {
            handOver.lookBack();
        }
        return sent;
    }

    @Override
    public long deadlineNanos() {
        return source.deadlineNanos();
    }
}
