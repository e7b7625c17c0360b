package dev.baton.lab.engines;

import dev.baton.measuring.data.TransportProperties;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.ChainRig;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Chains of hand-written loops: {@code services + 2} threads for each instance, whatever its transport. */
final class ReferenceRig implements ChainRig {
    private static final Duration OPEN_LIMIT = Duration.ofSeconds(30);
    private static final long CHECK_NANOS = 200_000;
    private static final Duration AT_ONCE = Duration.ofMillis(1);

    /** How long a thread that was told to end may finish the call it is in. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final int services;
    private final Library library;
    private final Supplier<TransportProperties> properties;
    private final Runnable release;
    private final IntConsumer onThread;
    private final String unique =
            Long.toString(ProcessHandle.current().pid(), 36) + Long.toString(System.nanoTime() & 0xFFFFFFFFFFL, 36);
    private final Map<Integer, List<ReferenceThread>> chains = new LinkedHashMap<>(); // by instance
    private final Set<Integer> drained = new HashSet<>();
    private final AtomicReference<Failure> failure = new AtomicReference<>();
    private boolean isClosed;

    ReferenceRig(int services, Transport transport, Library library) {
        this(services, library, () -> factsOf(transport, library), transport::close, part -> {});
    }

    /**
     * Over any library.
     *
     * @param release called after the library is closed
     * @param onThread called by each thread as it starts, with its place in its chain: 0 for the one that sends
     */
    ReferenceRig(
            int services,
            Library library,
            Supplier<TransportProperties> properties,
            Runnable release,
            IntConsumer onThread) {
        this.services = services;
        this.library = library;
        this.properties = properties;
        this.release = release;
        this.onThread = onThread;
    }

    @Override
    public TransportProperties properties() {
        return properties.get();
    }

    private static TransportProperties factsOf(Transport transport, Library library) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("engine", "reference: loops on the library itself, without Baton");
        properties.put(
                "threads",
                "one for each service, one that sends, one that receives; without a message they " + library.rest());
        properties.putAll(library.properties());
        properties.put("version", transport.properties().getOrDefault("version", "unknown"));
        return new TransportProperties(
                transport.name(),
                transport.guarantees().stream().sorted().map(Guarantee::meaning).toList(),
                properties);
    }

    @Override
    public void prepare(int instances) {
        library.createTopics(IntStream.range(0, instances)
                .boxed()
                .flatMap(instance -> topics(instance).stream())
                .toList());
    }

    private List<String> topics(int instance) {
        return IntStream.rangeClosed(0, services)
                .mapToObj(index -> "reference-" + unique + "-" + instance + "-" + index)
                .toList();
    }

    @Override
    public void start(ChainEnds ends) {
        int instance = ends.index() + 1;
        List<Stage> stages = library.stages(ends, topics(ends.index()));
        List<ReferenceThread> threads = new ArrayList<>();
        for (int i = 0; i < stages.size(); i++) {
            int part = i;
            threads.add(new ReferenceThread(
                    "reference-" + instance + "-" + part(i),
                    () -> onThread.accept(part),
                    stages.get(i),
                    cause -> failure.compareAndSet(null, new Failure(instance, cause))));
        }
        chains.put(ends.index(), threads);
        threads.forEach(ReferenceThread::start);
        awaitOpen(threads);
    }

    private String part(int index) {
        return index == 0 ? "source" : index <= services ? "s" + index : "sink";
    }

    private static void awaitOpen(List<ReferenceThread> threads) {
        try {
            for (ReferenceThread thread : threads) {
                if (!thread.awaitOpen(OPEN_LIMIT)) {
                    throw new TransportException(
                            thread.name() + " was not ready within " + OPEN_LIMIT.toSeconds() + " s");
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new TransportException("interrupted while starting a chain", interrupted);
        }
    }

    @Override
    public Optional<Failure> failure() {
        return Optional.ofNullable(failure.get());
    }

    /** Ends the chains' stages in order: each one when it has passed on all that those before it have left. */
    @Override
    public void stop(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        drained.addAll(chains.keySet());
        for (int stage = 0; stage < services + 2; stage++) {
            int number = stage;
            chains.values().forEach(chain -> chain.get(number).drain());
            chains.forEach((instance, chain) -> {
                if (!awaitAtEnd(chain.get(number), deadline)) {
                    drained.remove(instance);
                }
            });
            chains.values().forEach(chain -> chain.get(number).stop());
            chains.forEach((instance, chain) -> {
                ReferenceThread thread = chain.get(number);
                if (!awaitEnd(thread, deadline) || !thread.isStored()) {
                    drained.remove(instance);
                }
            });
        }
        awaitEnds();
        chains.clear();
    }

    @Override
    public boolean isDrained(int instance) {
        return drained.contains(instance);
    }

    private void awaitEnds() {
        long last = System.nanoTime() + GRACE.toNanos();
        List<String> alive = chains.values().stream()
                .flatMap(List::stream)
                .filter(thread -> !awaitEnd(thread, last))
                .map(ReferenceThread::name)
                .toList();
        if (!alive.isEmpty()) {
            throw new TransportException("threads did not end: " + alive);
        }
    }

    private static boolean awaitAtEnd(ReferenceThread thread, long deadlineNanos) {
        while (!thread.isAtEnd()) {
            if (thread.hasEnded()
                    || System.nanoTime() - deadlineNanos >= 0
                    || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(CHECK_NANOS);
        }
        return true;
    }

    private static boolean awaitEnd(ReferenceThread thread, long deadlineNanos) {
        try {
            return thread.awaitEnd(deadlineNanos - System.nanoTime());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return thread.hasEnded();
        }
    }

    /** What threads that do not end still use is left to them. */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try {
            stop(AT_ONCE);
            library.close();
        } finally {
            release.run();
        }
    }
}
