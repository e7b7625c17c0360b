package dev.baton.lab.engines;

import dev.baton.lab.request.Place.Spread;
import dev.baton.measuring.data.TransportProperties;
import dev.baton.measuring.machine.KernelThread;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.ChainRig;
import dev.baton.measuring.rig.RigOutcome;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Chains of reference loops: {@code services + 2} threads for each instance, whatever its transport, or one less where one
 * thread both sends and receives.
 */
final class ReferenceRig extends RigOutcome implements ChainRig {
    private static final Duration OPEN_LIMIT = Duration.ofSeconds(30);
    private static final long CHECK_NANOS = 200_000;
    private static final Duration AT_ONCE = Duration.ofMillis(1);

    /** The time that a stopped thread has to finish its current call. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final int services;
    private final String name;
    private final Transport transport;
    private final Library library;
    private final IntConsumer onThread;
    private final boolean isPunctual;
    private final List<Long> generatorTasks = new CopyOnWriteArrayList<>();
    private final String unique = Spread.uniqueChain();
    private final Map<Integer, List<ReferenceThread>> chains = new LinkedHashMap<>(); // by instance
    private boolean isClosed;

    /**
     * Creates a rig.
     *
     * @param name of the subject
     * @param transport null for none
     * @param onThread called by each thread as it starts, with its place in its chain: 0 for the one that sends
     * @param isPunctual whether threads that only send wait for their slots with a spin
     */
    ReferenceRig(
            int services, String name, Transport transport, Library library, IntConsumer onThread, boolean isPunctual) {
        this.services = services;
        this.name = name;
        this.transport = transport;
        this.library = library;
        this.onThread = onThread;
        this.isPunctual = isPunctual;
    }

    @Override
    public TransportProperties properties() {
        if (transport == null) {
            return new TransportProperties(name, List.of(), library.properties());
        }
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("engine", "reference: loops on the library itself, without Baton");
        properties.put(
                "not promised",
                "recovery, acknowledgement after storage, fencing, effectively once, audit, errors of services, closing"
                        + " without loss");
        properties.put(
                "threads",
                "one for each service, "
                        + (library.isRound() ? "one that sends and receives" : "one that sends, one that receives")
                        + "; without a message they " + library.rest());
        properties.putAll(library.properties());
        properties.put("version", transport.properties().getOrDefault("version", "unknown"));
        return new TransportProperties(name, List.of(), properties);
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
        List<ReferenceStage> stages = library.stages(ends, topics(ends.index()));
        List<ReferenceThread> threads = new ArrayList<>();
        for (int i = 0; i < stages.size(); i++) {
            ReferenceStage stage = stages.get(i);
            boolean isFeeding = isPunctual && stage instanceof ReferenceStage.Feeding;
            threads.add(new ReferenceThread(
                    ends.index(), i, isFeeding ? ((ReferenceStage.Feeding) stage).punctual() : stage));
        }
        chains.put(ends.index(), threads);
        threads.forEach(each -> each.thread.start());
        awaitOpen(threads);
    }

    private String part(int index) {
        return index == 0 ? "source" : index <= services ? "s" + index : "sink";
    }

    private static void awaitOpen(List<ReferenceThread> threads) {
        try {
            for (ReferenceThread each : threads) {
                if (!each.opened.await(OPEN_LIMIT.toNanos(), TimeUnit.NANOSECONDS)) {
                    throw new TransportException(
                            each.thread.getName() + " was not ready within " + OPEN_LIMIT.toSeconds() + " s");
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new TransportException("interrupted while starting a chain", interrupted);
        }
    }

    @Override
    public List<Long> generatorTasks() {
        return List.copyOf(generatorTasks);
    }

    /** Ends the chains' stages in order: each one when it has passed on all that those before it have left. */
    @Override
    public void stop(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        drained.addAll(chains.keySet());
        endSending(deadline);
        for (int number : inOrder()) {
            chains.values().forEach(chain -> chain.get(number).drain());
            chains.forEach((instance, chain) -> {
                // until it has passed on all that it was to read
                if (!chain.get(number).await(deadline, chain.get(number).stage::isAtEnd)) {
                    drained.remove(instance);
                }
            });
            chains.values().forEach(chain -> chain.get(number).stop());
            chains.forEach((instance, chain) -> {
                ReferenceThread thread = chain.get(number);
                if (!thread.awaitEnd(deadline) || !thread.stage.isStored()) {
                    drained.remove(instance);
                }
            });
        }
        awaitEnds();
        chains.clear();
    }

    /** The stages in the order in which they end: one that both sends and receives is the last. */
    private int[] inOrder() {
        return library.isRound()
                ? IntStream.rangeClosed(1, services + 1)
                        .map(number -> number % (services + 1))
                        .toArray()
                : IntStream.range(0, services + 2).toArray();
    }

    private void endSending(long deadline) {
        if (library.isRound()) {
            chains.values().forEach(chain -> chain.get(0).stage.endSending());
            chains.forEach((instance, chain) -> {
                if (!chain.get(0).await(deadline, chain.get(0).stage::hasEndedSending)) {
                    drained.remove(instance);
                }
            });
        }
    }

    private void awaitEnds() {
        long last = System.nanoTime() + GRACE.toNanos();
        List<String> alive = chains.values().stream()
                .flatMap(List::stream)
                .filter(thread -> !thread.awaitEnd(last))
                .map(each -> each.thread.getName())
                .toList();
        if (!alive.isEmpty()) {
            throw new TransportException("threads did not end: " + alive);
        }
    }

    /** Closes everything except what threads still use that do not end. */
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
            if (transport != null) {
                transport.close();
            }
        }
    }

    /** A library as the reference uses it: its topics, and what each thread of a chain does with them. Called by one thread. */
    interface Library extends AutoCloseable {
        /** A thread of a chain that runs this, not started; it does not keep the JVM, as a library may hang. */
        default Thread newThread(Runnable body, String name) {
            Thread thread = new Thread(body, name);
            thread.setDaemon(true);
            return thread;
        }

        /** {@return the properties that a reader needs to judge a figure: the usual keys without the version, which the transport has} */
        Map<String, String> properties();

        /** {@return the pause of its threads without a message} */
        Pause pause();

        /** {@return this pause in words, as in "they spin"} */
        default String rest() {
            return pause().toString();
        }

        /** Makes topics that do not exist yet. May block. */
        default void createTopics(List<String> names) {}

        /** {@return whether the first stage of a chain is its last one as well: one thread that sends and receives} */
        default boolean isRound() {
            return false;
        }

        /**
         * The stages of one chain in order: what feeds its first topic, a relay for each service, what takes from its last
         * unless that is the first as well.
         * Nothing of them runs yet.
         */
        List<ReferenceStage> stages(ChainEnds ends, List<String> topics);

        /** Removes the topics with all that they hold, after every stage has ended. Idempotent. */
        @Override
        default void close() {}
    }

    /** A thread that runs one {@link ReferenceStage} and reports what ended it early. Used by the thread that made it. */
    private final class ReferenceThread {
        private final int instance; // from 0
        private final int part;
        private final ReferenceStage stage;
        private final CountDownLatch opened = new CountDownLatch(1); // the stage is open, or has failed
        private final Thread thread;
        private final ReferenceStage.StopSignal stop = new ReferenceStage.StopSignal();

        ReferenceThread(int instance, int part, ReferenceStage stage) {
            this.instance = instance;
            this.part = part;
            this.stage = stage;
            thread = library.newThread(this::run, "reference-" + (instance + 1) + "-" + part(part));
        }

        private void run() {
            try {
                try {
                    onThread.accept(part);
                    if (isPunctual && stage instanceof ReferenceStage.Feeding) {
                        generatorTasks.add(KernelThread.number());
                    }
                    stage.open();
                    opened.countDown();
                    stage.run(stop);
                } finally {
                    stage.close();
                }
            } catch (Throwable thrown) { // also what a library throws that is no exception
                failed(thrown, instance); // the trial ends
            } finally {
                opened.countDown();
            }
        }

        /** Tells the thread that nothing is written any more into what it reads. */
        private void drain() {
            stop.drain();
            LockSupport.unpark(thread);
        }

        /** Waits until something holds; false when it does not by that time, or the thread has ended. */
        private boolean await(long deadlineNanos, BooleanSupplier holds) {
            while (!holds.getAsBoolean()) {
                if (!thread.isAlive()
                        || System.nanoTime() - deadlineNanos >= 0
                        || Thread.currentThread().isInterrupted()) {
                    return false;
                }
                LockSupport.parkNanos(CHECK_NANOS);
            }
            return true;
        }

        /** Asks the thread to end. */
        private void stop() {
            stop.set();
            stage.halt();
            LockSupport.unpark(thread);
        }

        /**
         * Waits for the end of the threads.
         *
         * @return false when one still runs at that time
         */
        private boolean awaitEnd(long deadlineNanos) {
            long left = deadlineNanos - System.nanoTime();
            try {
                if (left > 0) {
                    TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(left, 1_000_000));
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            return !thread.isAlive();
        }
    }
}
