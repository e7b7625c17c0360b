package dev.baton.lab.engines;

/** Says that there is one message more, which is all that the receiver is told. Confined to the sending thread. */
final class HandOverInlet implements EngineInlet {
    private final HandOver handOver;

    HandOverInlet(HandOver handOver) {
        this.handOver = handOver;
    }

    @Override
    public boolean trySend(long number, long originNanos, int tag) {
        handOver.publish(number + 1);
        return true;
    }
}
