package dev.baton.operations.service;

import dev.baton.Deployment;
import dev.baton.RunningChain;
import dev.baton.manage.ManagedChain;
import dev.baton.run.Loops;
import dev.baton.run.Loops.LoopStatus;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import dev.baton.spi.Transport.StorageUse;
import dev.baton.spi.TransportProvider;
import dev.baton.status.ChainStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** The services of a plan over one transport, shown to JMX. Opened and closed by one thread, otherwise thread-safe. */
final class RunningServices implements AutoCloseable {
    /**
     * One instance that runs here, and its registration in JMX. Thread-safe.
     *
     * @param keepsPartitions whether its partitions wait for this process when it ends
     */
    private record Part(RunningChain chain, boolean keepsPartitions, ManagedChain managed) {
        /** Closes it within a time. @return whether all messages in progress were delivered and stored */
        boolean close(Duration limit) {
            return keepsPartitions ? chain.closeForRestart(limit) : chain.close(limit);
        }
    }

    private static final int MOST_ASKED = 64; // instances at the same time
    private static final long KEPT_SECONDS = 60; // longer than the interval of probes

    private final Transport transport;
    private final Loops loops;
    private final Runnable onFailure;
    private final Consumer<String> onChange;
    private final List<Part> parts = new ArrayList<>();
    private final ExecutorService asking;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    private RunningServices(
            Transport transport, Loops loops, int instances, Runnable onFailure, Consumer<String> onChange) {
        this.transport = transport;
        this.loops = loops;
        this.asking = asking(Math.min(MOST_ASKED, instances));
        this.onFailure = onFailure;
        this.onChange = onChange;
    }

    /**
     * Opens everything; on failure nothing is left open. May block.
     *
     * @param isAgain whether they have run in this process; they then continue, whatever their start position
     * @param onFailure called once from any thread when a failure has stopped them; {@link #failure} returns it
     * @param onChange receives a text for each partition that is assigned or revoked, and for the start of the first service
     */
    static RunningServices open(
            ServicePlan plan,
            boolean isAgain,
            TransportProvider provider,
            Runnable onFailure,
            Consumer<String> onChange) {
        Loops loops = plan.loops().open().measureSweeps(); // no thread starts before the first chain
        Transport transport = provider.open(plan.subject().options());
        RunningServices running = new RunningServices(transport, loops, plan.instances(), onFailure, onChange);
        try {
            running.start(plan, isAgain);
            return running;
        } catch (RuntimeException | Error refused) {
            running.close();
            throw refused;
        }
    }

    private void start(ServicePlan plan, boolean isAgain) {
        ServicePlan.Sharing sharing = plan.sharing();
        for (int instance = 0; instance < plan.instances(); instance++) {
            Deployment deployment = plan.loops()
                    .batched(plan.chain().on(transport))
                    .instance(instance)
                    .with(loops)
                    .only(plan.only().toArray(String[]::new))
                    .replacedInput(plan.edges().replacedInput())
                    .onUnreadable(plan.edges().unreadable())
                    .snapshots(plan.snapshots())
                    .onFailure(this::failed);
            begin(deployment, plan, isAgain);
            if (sharing != null) {
                deployment
                        .partitions(sharing.partitions())
                        .member(sharing.member())
                        .sessionTimeout(sharing.sessionTimeout())
                        .onPartition(change -> onChange.accept("partition " + change.partition() + " "
                                + change.kind().text()));
            }
            RunningChain running = deployment.start();
            parts.add(new Part(
                    running, sharing != null && sharing.keepsPartitions(), ManagedChain.register(running, instance)));
        }
    }

    /** A consumer that is named after its position has begun there at an earlier start, or does so now. */
    private void begin(Deployment deployment, ServicePlan plan, boolean isAgain) {
        if (plan.start() == null) {
            return;
        }
        String consumer = plan.consumer();
        deployment.consumer(consumer);
        StartPosition from = plan.start().from();
        if (from == null || isAgain) {
            return;
        }
        if (plan.start().consumer() == null && hasBegun(plan, consumer)) {
            onChange.accept("continues where consumer " + consumer + " of topic " + plan.firstInput() + " stopped");
        } else {
            deployment.startAt(from);
            onChange.accept("begins at " + from + " of topic " + plan.firstInput() + ", as consumer " + consumer);
        }
    }

    /** Returns whether a service has a position or an output; one that was killed while it was moved has neither. */
    private boolean hasBegun(ServicePlan plan, String consumer) {
        Set<String> topics = transport.topics();
        if (!topics.contains(plan.firstInput())) {
            return false;
        }
        Long acknowledged;
        try (TopicInspector input = transport.inspect(plan.firstInput())) {
            acknowledged = input.acknowledged().get(consumer);
        }
        if (acknowledged == null || acknowledged != 0 || !topics.contains(plan.firstOutput())) {
            return acknowledged != null && acknowledged != 0;
        }
        try (TopicInspector output = transport.inspect(plan.firstOutput())) {
            return output.newestSequence() > 0;
        }
    }

    private void failed(Throwable cause) {
        if (failure.compareAndSet(null, cause)) {
            onFailure.run();
        }
    }

    /** {@return the failure that stopped one of them, if any} */
    Optional<Throwable> failure() {
        return Optional.ofNullable(failure.get());
    }

    /** {@return the status of each instance} They are asked at the same time, as each waits for a loop that does not respond. */
    List<ChainStatus> status() {
        if (parts.size() == 1) {
            return List.of(parts.get(0).chain().status());
        }
        List<CompletableFuture<ChainStatus>> answers = parts.stream()
                .map(each -> CompletableFuture.supplyAsync(() -> each.chain().status(), asking))
                .toList();
        return answers.stream().map(CompletableFuture::join).toList();
    }

    /** Returns threads that end after a pause without requests. After their shutdown the caller asks, as a request may come meanwhile. */
    private static ExecutorService asking(int most) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                most,
                most,
                KEPT_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> {
                    Thread made = new Thread(task, "baton-status");
                    made.setDaemon(true);
                    return made;
                },
                (task, over) -> task.run());
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** {@return the disk space that the topics use} */
    Optional<StorageUse> storageUse() {
        return transport.storageUse();
    }

    /** {@return the counters of the transport's server or driver} */
    Map<String, Long> counters() {
        return transport.counters();
    }

    List<LoopStatus> loops() {
        return loops.status();
    }

    /** Ends them in good order. @return whether all in-flight messages were drained and stored within the limit */
    boolean stop(Duration limit) {
        boolean isDrained = closeChains(limit);
        close();
        return isDrained;
    }

    /** Closes the chains within a time. @return whether all in-flight messages were drained and stored */
    private boolean closeChains(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        // together, as each waits for a moment for a callback that blocks its loop
        RunningChain.closeAll(
                parts.stream()
                        .map(Part::chain)
                        .filter(each -> !each.isPartitioned())
                        .toList(),
                limit);
        boolean isDrained = true;
        for (Part each : parts) {
            isDrained &= each.close(Duration.ofNanos(Math.max(1_000_000, deadline - System.nanoTime())));
        }
        return isDrained;
    }

    /** Closes everything at once. */
    @Override
    public void close() {
        parts.forEach(each -> each.managed().close());
        closeChains(Duration.ofMillis(1));
        loops.close();
        transport.close();
        asking.shutdown();
    }
}
