package org.example.shop;

import dev.baton.Chain;
import dev.baton.ChainListener;
import dev.baton.MessageHandler;
import dev.baton.MessageInterceptor;
import dev.baton.RestartPolicy;
import dev.baton.ServiceContext;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Supervision: a chain that is opened again when it fails, the events that it reports to a listener, and each call of its services. */
public final class Watched implements ChainListener, MessageInterceptor {
    /** The events, oldest first. */
    public final Queue<String> events = new ConcurrentLinkedQueue<>();

    /** Starts the chain under supervision. */
    public RunningChain start(Chain chain, Transport transport, Loops loops) {
        return chain.on(transport)
                .with(loops)
                .listen(this)
                .around(this)
                .onOutput(Order.CODEC, (order, in) -> events.add("order " + order.id()))
                .restart(RestartPolicy.backoff(Duration.ofMillis(1), Duration.ofMillis(10))
                        .atMost(3, Duration.ofMinutes(1))
                        .afterServiceFailures())
                .start();
    }

    /** Loops whose threads the application creates. */
    public static Loops threads() {
        return Loops.cooperative(1).threads(body -> {
            Thread thread = new Thread(body, "shop");
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    public MessageHandler intercept(ServiceContext context, MessageHandler next) {
        return (in, out) -> {
            events.add(context.service() + " on " + Thread.currentThread().getName());
            next.onMessage(in, out);
        };
    }

    @Override
    public void onRestart(String chain, int partition, int restarts, Duration pause, Throwable cause) {
        events.add("restart " + restarts + ": " + cause.getMessage());
    }
}
