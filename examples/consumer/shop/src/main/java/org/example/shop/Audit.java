package org.example.shop;

import dev.baton.RunningTap;
import dev.baton.Tap;
import dev.baton.TypedOutputHandler;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;

/** Fan-out: a consumer beside a chain's own. */
public final class Audit {
    private static final String CONSUMER = "audit";

    private Audit() {}

    /** Attaches the audit to a topic of orders. */
    public static RunningTap attach(
            Transport transport, Loops loops, String topic, TypedOutputHandler<Order> handler) {
        return Tap.on(transport).topic(topic).as(CONSUMER).with(loops).handle(Order.CODEC, handler);
    }

    /** Lets go of what is kept for an audit that does not come back. */
    public static boolean forget(Transport transport, String topic) {
        return transport.forgetConsumer(topic, CONSUMER);
    }
}
