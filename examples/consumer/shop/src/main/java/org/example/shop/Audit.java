package org.example.shop;

import dev.baton.RestartPolicy;
import dev.baton.RunningTap;
import dev.baton.SupervisedChain;
import dev.baton.Tap;
import dev.baton.TypedOutputHandler;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.time.Duration;

/** Fan-out: a consumer beside a chain's own. */
public final class Audit {
    private static final String CONSUMER = "audit";

    private Audit() {}

    /** Attaches the audit to a topic of orders. */
    public static RunningTap attach(
            Transport transport, Loops loops, String topic, TypedOutputHandler<Order> handler) {
        return Tap.on(transport).topic(topic).as(CONSUMER).with(loops).handle(Order.CODEC, handler);
    }

    /** The same, opened again when it fails. */
    public static SupervisedChain supervise(
            Transport transport, Loops loops, String topic, TypedOutputHandler<Order> handler) {
        return Tap.on(transport)
                .topic(topic)
                .as(CONSUMER)
                .with(loops)
                .restart(RestartPolicy.backoff(Duration.ofMillis(1), Duration.ofSeconds(1)).afterServiceFailures())
                .handle(Order.CODEC, handler);
    }

    /** Lets go of what is kept for an audit that does not come back. */
    public static boolean forget(Transport transport, String topic) {
        return transport.forgetConsumer(topic, CONSUMER);
    }
}
