package org.example.shop;

import dev.baton.RestartPolicy;
import dev.baton.RunningChain;
import dev.baton.Chain;
import dev.baton.OutputHandler.TypedOutputHandler;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.time.Duration;

/** Fan-out: a consumer in addition to a chain's own. */
public final class Audit {
    private static final String CONSUMER = "audit";

    private Audit() {}

    /** Attaches the audit to a topic of orders. */
    public static RunningChain attach(
            Transport transport, Loops loops, String topic, TypedOutputHandler<Order> handler) {
        return Chain.tap(CONSUMER, topic).on(transport).with(loops).onOutput(Order.CODEC, handler).start();
    }

    /** Attaches the audit, and opens it again when it fails. */
    public static RunningChain supervise(
            Transport transport, Loops loops, String topic, TypedOutputHandler<Order> handler) {
        return Chain.tap(CONSUMER, topic).on(transport).with(loops).restart(RestartPolicy.backoff(Duration.ofMillis(1), Duration.ofSeconds(1)).afterServiceFailures()).onOutput(Order.CODEC, handler).start();
    }

    /** Frees the messages that are retained for an audit that is no longer used. */
    public static boolean forget(Transport transport, String topic) {
        return transport.forgetConsumer(topic, CONSUMER);
    }
}
