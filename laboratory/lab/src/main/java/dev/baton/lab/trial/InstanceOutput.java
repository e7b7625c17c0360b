package dev.baton.lab.trial;

import dev.baton.Message;
import dev.baton.OutputHandler;
import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.MessageSink;

/** Hands what comes out of a chain to its instance's receiver. Confined to the loop of the chain's last topic. */
final class InstanceOutput implements OutputHandler, PayloadPattern.Origin {
    private final MessageSink receiver;
    private Message message;

    InstanceOutput(ChainEnds instance) {
        receiver = instance.receiver();
    }

    @Override
    public void onOutput(Message in) {
        message = in;
        receiver.onMessage(in.originNanos(), in.type(), in.servicesPassed(), in.length(), this);
    }

    @Override
    public void copyTo(byte[] target, int length) {
        message.getBytes(0, target, 0, length);
    }
}
