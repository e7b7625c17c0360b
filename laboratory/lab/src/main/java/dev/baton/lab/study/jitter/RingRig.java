package dev.baton.lab.study.jitter;

import dev.baton.lab.engines.Pause;
import dev.baton.lab.engines.RingWait;
import dev.baton.lab.request.TrialPlan;
import dev.baton.measuring.data.TransportProperties;
import dev.baton.measuring.machine.Cores;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.ChainRig;
import dev.baton.measuring.rig.MessageSource;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The producer, the ring and the accumulator: a chain of one instance whose only service is its receiver. Called by the
 * trial's thread alone.
 */
final class RingRig implements ChainRig {
    private static final Duration OPEN_LIMIT = Duration.ofSeconds(10);
    private static final Duration AT_ONCE = Duration.ofMillis(1);

    private final int services;
    private final Pause pause;
    private final int[] cores; // of the producer and of the accumulator; empty when they are not pinned
    private final AtomicReference<Failure> failure = new AtomicReference<>();
    private TimeRing ring; // null until started, like the threads
    private RingThread producer;
    private RingThread accumulator;

    private RingRig(int services, Pause pause, int[] cores) {
        this.services = services;
        this.pause = pause;
        this.cores = cores;
    }

    /**
     * Ready to start.
     *
     * @throws IllegalArgumentException when the idle words are none of these, or two cores are asked for and not there
     */
    static RingRig of(TrialPlan plan, JitterStudy study) {
        int[] cores = study.isPinned() ? Cores.allowed() : new int[0];
        if (study.isPinned() && cores.length < 2) {
            throw new IllegalArgumentException(
                    "--pin needs two cores, this process may use " + cores.length + "; leave it out");
        }
        return new RingRig(plan.shape().services(), Pause.of(plan.loops().idle(), plan.load()), cores);
    }

    @Override
    public TransportProperties properties() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("engine", "reference: the Disruptor, single producer, its own event processor");
        facts.put("threads", "a producer and an accumulator; without work they " + pause + "; " + place());
        facts.put("durability", "memory only: gone with the ring");
        facts.put("acknowledgement", "none");
        facts.put(
                "configuration",
                "slots=" + TimeRing.SLOTS + ", "
                        + RingWait.strategy(pause).getClass().getSimpleName()
                        + ", two fields to an event, on the heap");
        return new TransportProperties("disruptor", List.of(), facts);
    }

    private String place() {
        return cores.length == 0 ? "not pinned" : "pinned to cores " + cores[0] + " and " + cores[1];
    }

    @Override
    public void prepare(int instances) {
        if (instances != 1) {
            throw new IllegalArgumentException(instances + " instances; one is allowed");
        }
    }

    @Override
    public void start(ChainEnds ends) {
        ring = new TimeRing(pause, ends.receiver(), services);
        MessageSource source = ends.generator();
        accumulator = thread("lab-accumulator", 1, ring::drain);
        producer = thread("lab-producer", 0, () -> produce(source));
        accumulator.start(OPEN_LIMIT);
        producer.start(OPEN_LIMIT);
    }

    private RingThread thread(String name, int part, Runnable work) {
        return new RingThread(
                name,
                cores.length == 0 ? null : cores[part],
                work,
                cause -> failure.compareAndSet(null, new Failure(1, cause)));
    }

    private void produce(MessageSource source) {
        TimeRing into = ring;
        while (!producer.isStopping()) {
            if (source.onTurn(into) == 0) {
                pause.restUntil(source.deadlineNanos());
            }
        }
    }

    /** The kernel's numbers of the two threads, the producer first; after {@link #start}. */
    List<Long> tasks() {
        return List.of(producer.task(), accumulator.task());
    }

    @Override
    public Optional<Failure> failure() {
        return Optional.ofNullable(failure.get());
    }

    @Override
    public void stop(Duration limit) {
        if (ring == null) {
            return;
        }
        producer.stop(limit, () -> {});
        accumulator.stop(limit, ring::halt);
    }

    @Override
    public void close() {
        stop(AT_ONCE);
    }
}
