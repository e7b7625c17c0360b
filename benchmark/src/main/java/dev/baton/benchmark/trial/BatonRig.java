package dev.baton.benchmark.trial;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.benchmark.plan.TrialPlan;
import dev.baton.benchmark.result.TransportFacts;
import dev.baton.benchmark.rig.ChainEnds;
import dev.baton.benchmark.rig.ChainRig;
import dev.baton.benchmark.trial.Event.Kind;
import dev.baton.run.Loops;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Chains of Baton's, run the way users run them: services that forward, a source and an output handler on the chains' own
 * loops. Topics bear a name that no other trial uses.
 */
final class BatonRig implements ChainRig {
    private static final Duration AT_ONCE = Duration.ofMillis(1);

    private final Transport transport;
    private final Loops loops;
    private final Chain chain;
    private final List<String> topics = new ArrayList<>();
    private final List<RunningChain> running = new ArrayList<>();
    private final AtomicReference<Failure> failure = new AtomicReference<>();
    private boolean isClosed;

    private BatonRig(Transport transport, Loops loops, Chain chain) {
        this.transport = transport;
        this.loops = loops;
        this.chain = chain;
    }

    static BatonRig open(TrialPlan plan) {
        Loops loops = LoopWords.open(plan.loops());
        Transport transport = null;
        try {
            transport = Transports.open(plan);
            return new BatonRig(transport, loops, chain(plan.shape().services()));
        } catch (RuntimeException refused) {
            loops.close();
            if (transport != null) {
                transport.close();
            }
            throw refused;
        }
    }

    private static Chain chain(int services) {
        String unique =
                Long.toString(ProcessHandle.current().pid(), 36) + Long.toString(System.nanoTime() & 0xFFFFFFFFFFL, 36);
        Chain.Builder builder = Chain.named("trial-" + unique);
        IntStream.rangeClosed(1, services).forEach(i -> builder.then("s" + i, () -> (in, out) -> out.forward(in)));
        return builder.build();
    }

    @Override
    public TransportFacts facts() {
        return new TransportFacts(
                transport.name(),
                transport.guarantees().stream().sorted().map(Guarantee::meaning).toList(),
                new LinkedHashMap<>(transport.facts()));
    }

    @Override
    public void prepare(int instances) {
        IntStream.range(0, instances)
                .forEach(instance ->
                        IntStream.range(0, chain.hops()).forEach(index -> topics.add(chain.topic(instance, index))));
        guarded("create " + topics.size() + " topics", () -> transport.createTopics(topics));
    }

    @Override
    public void start(ChainEnds instance) {
        guarded(
                "start instance " + (instance.index() + 1),
                () -> running.add(chain.on(transport)
                        .instance(instance.index())
                        .with(loops)
                        .from(new InstanceSource(instance))
                        .onOutput(new InstanceOutput(instance))
                        .onFailure(cause -> failure.compareAndSet(null, new Failure(instance.index() + 1, cause)))
                        .start()));
    }

    private static void guarded(String what, Runnable step) {
        try {
            step.run();
        } catch (TransportException | IllegalArgumentException refused) {
            Kind kind = refused instanceof TransportException ? Kind.ENVIRONMENT : Kind.USAGE;
            throw new TrialFailure(kind, "cannot " + what + ": " + refused.getMessage(), refused);
        }
    }

    @Override
    public Optional<Failure> failure() {
        return Optional.ofNullable(failure.get());
    }

    @Override
    public void stop(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        for (RunningChain each : running) {
            long left = deadline - System.nanoTime();
            each.close(left > 0 ? Duration.ofNanos(left) : AT_ONCE);
        }
        running.clear();
        loops.close();
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        List<Runnable> steps = List.of(() -> stop(AT_ONCE), () -> transport.deleteTopics(topics), transport::close);
        List<RuntimeException> failures = new ArrayList<>();
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (RuntimeException atClose) {
                failures.add(atClose);
            }
        }
        Stream.of(failures)
                .flatMap(List::stream)
                .reduce((first, next) -> {
                    first.addSuppressed(next);
                    return first;
                })
                .ifPresent(first -> {
                    throw first;
                });
    }
}
