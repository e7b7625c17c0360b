package dev.baton.measuring.rig;

import dev.baton.measuring.PayloadPattern;

/** Takes the messages that come out of one instance. Confined to the thread that reads the chain's last topic. */
public interface MessageSink {
    /** The number of hops of a message whose origin or tag was altered. */
    int DAMAGED = -1;

    /**
     * Takes one message.
     *
     * @param originNanos as the last frame says
     * @param tag as the last frame says
     * @param hops services passed, as the last frame says; or {@link #DAMAGED}
     * @param length bytes of payload
     * @param payload valid during the call
     */
    void onMessage(long originNanos, int tag, int hops, int length, PayloadPattern.Origin payload);
}
