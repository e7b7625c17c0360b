package dev.baton.benchmark.service;

import dev.baton.Chain;
import dev.baton.ChainStatus;
import dev.baton.RunningChain;
import dev.baton.benchmark.trial.LoopWords;
import dev.baton.manage.ManagedChain;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The services of a plan, open over one transport and shown to JMX. Opened and closed by one thread; everything else is
 * thread-safe.
 */
final class RunningServices implements AutoCloseable {
    private final Transport transport;
    private final Loops loops;
    private final Runnable onFailure;
    private final List<RunningChain> chains = new ArrayList<>();
    private final List<ManagedChain> managed = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    private RunningServices(Transport transport, Loops loops, Runnable onFailure) {
        this.transport = transport;
        this.loops = loops;
        this.onFailure = onFailure;
    }

    /**
     * Opens everything; on failure nothing is left open. May block.
     *
     * @param onFailure called once from any thread when something has stopped them; {@link #failure} tells what
     */
    static RunningServices open(ServicePlan plan, TransportProvider provider, Runnable onFailure) {
        Transport transport = provider.open(plan.subject().options());
        RunningServices running = null;
        try {
            running = new RunningServices(transport, LoopWords.open(plan.loops()), onFailure);
            running.start(plan);
            return running;
        } catch (RuntimeException | Error refused) {
            if (running == null) {
                transport.close();
            } else {
                running.close();
            }
            throw refused;
        }
    }

    private void start(ServicePlan plan) {
        Chain chain = plan.toChain();
        for (int instance = 0; instance < plan.instances(); instance++) {
            RunningChain started = chain.on(transport)
                    .instance(instance)
                    .with(loops)
                    .only(plan.names())
                    .onFailure(this::failed)
                    .start();
            chains.add(started);
            managed.add(ManagedChain.register(started, instance));
        }
    }

    private void failed(Throwable cause) {
        if (failure.compareAndSet(null, cause)) {
            onFailure.run();
        }
    }

    /** What stopped one of them, if anything did. */
    Optional<Throwable> failure() {
        return Optional.ofNullable(failure.get());
    }

    /** How each instance is. */
    List<ChainStatus> status() {
        return chains.stream().map(RunningChain::status).toList();
    }

    /**
     * Ends them in good order.
     *
     * @return whether everything in hand was passed on and stored within the limit
     */
    boolean stop(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        boolean isDrained = true;
        for (RunningChain each : chains) {
            isDrained &= each.close(Duration.ofNanos(Math.max(1_000_000, deadline - System.nanoTime())));
        }
        close();
        return isDrained;
    }

    /** Lets go of everything at once. */
    @Override
    public void close() {
        managed.forEach(ManagedChain::close);
        chains.forEach(each -> each.close(Duration.ofMillis(1)));
        loops.close();
        transport.close();
    }
}
