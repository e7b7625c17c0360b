package dev.baton.lab.engines.cooperative;

import dev.baton.lab.engines.PassedOptions;
import dev.baton.lab.engines.Pause;
import dev.baton.lab.engines.PollWait;
import dev.baton.lab.engines.QueueLibrary;
import dev.baton.lab.engines.StreamLibrary;
import dev.baton.lab.engines.TopicLibrary;
import dev.baton.lab.request.Place.Spread;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.TrialPlan;
import dev.baton.measuring.data.TransportProperties;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.ChainRig;
import dev.baton.measuring.rig.GeneratorThread;
import dev.baton.measuring.rig.MessageSource;
import dev.baton.measuring.rig.RigOutcome;
import dev.baton.measuring.rig.SourceSender;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.options.OptionSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Chains of hand-written stages on cooperative loops: with N loops each chain runs on one of them; with a thread for each
 * service every stage has a loop of its own.
 */
public final class CooperativeRig extends RigOutcome implements ChainRig {
    private static final Duration OPEN_LIMIT = Duration.ofSeconds(60);
    private static final Duration AT_ONCE = Duration.ofMillis(1);
    private static final long CHECK_NANOS = 500_000;
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long CLOSE_NANOS =
            TimeUnit.MILLISECONDS.toNanos(20); // of one instance: Aeron closes through its driver

    /** Messages of a turn, as a deployment takes by default. */
    private static final int DEFAULT_BATCH = 256;

    private final TrialPlan plan;
    private final Transport transport;
    private final StepLibrary library;
    private final int sweepsPerMessage;
    private final GeneratorThread generators; // null: the loops send
    private final String unique = Spread.uniqueChain();
    private final List<CooperativeLoop> loops = new ArrayList<>();
    private final List<LoopStep.Feeding> feedings = new ArrayList<>();
    private final List<LoopStep.Entry> entries = new ArrayList<>();
    private final Set<Integer> started = new HashSet<>();
    private boolean isStopped;
    private boolean isClosed;

    /**
     * Creates a rig.
     *
     * @param transport Baton's own over the same library, which describes the library's guarantees; closed with this
     * @param sweepsPerMessage sweeps of a loop until a message has passed a chain: 1 unless a hop takes a round trip
     */
    CooperativeRig(TrialPlan plan, Transport transport, StepLibrary library, int sweepsPerMessage) {
        this.plan = plan;
        this.transport = transport;
        this.library = library;
        this.sweepsPerMessage = sweepsPerMessage;
        generators = plan.load().isSentFromThread() ? new GeneratorThread(this::failed) : null;
    }

    /**
     * Opens loops over a library.
     *
     * @param transport Baton's own over the same library: it has checked the options, and makes and removes topics where that
     *     takes a cluster. It carries no message. The rig closes it
     * @param specs options that {@code transport} was opened with
     */
    public static CooperativeRig open(PlacedTrial trial, Transport transport, List<OptionSpec> specs) {
        TrialPlan plan = trial.plan();
        PassedOptions settings = new PassedOptions(trial.subject(), specs);
        boolean isKept = trial.place().isKept();
        int batch = batch(plan);
        Pause none = new Pause(Pause.Kind.SPIN, 0); // these stages never pause
        StepLibrary library = switch (plan.subject().transport()) {
            case "disruptor" -> new RingSteps(settings, plan.shape().payloadBytes(), batch);
            case "chronicle" -> new ExcerptSteps(new QueueLibrary(settings, none, false, isKept), batch);
            case "aeron" -> new FragmentSteps(new StreamLibrary(settings, none, true), batch);
            default -> new RecordSteps(new TopicLibrary(settings, none, transport, PollWait.of(plan), false, isKept));
        };
        boolean isImmediate = transport.guarantees().contains(Guarantee.IMMEDIATE);
        return new CooperativeRig(plan, transport, library, isImmediate ? 1 : sweepsOfRoundTrips(plan));
    }

    /** Returns the sweeps of a chain whose hops take round trips, as Baton counts them: one for each part on the loops. */
    static int sweepsOfRoundTrips(TrialPlan plan) {
        int servicesAndReceiver = plan.shape().services() + 1;
        return plan.load().isSentFromThread() ? servicesAndReceiver : servicesAndReceiver + 1;
    }

    @Override
    public TransportProperties properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("engine", "reference-cooperative: hand-written loops on the library itself, without Baton");
        properties.put(
                "not promised",
                "recovery, acknowledgement after storage, fencing, effectively once, audit, errors of services, closing"
                        + " without loss");
        properties.put(
                "threads", plan.loops().threading() + ", idle " + plan.loops().idle() + ", as Baton's loops");
        properties.putAll(library.properties());
        properties.put("version", transport.properties().getOrDefault("version", "unknown"));
        return new TransportProperties(transport.name(), List.of(), properties);
    }

    @Override
    public void prepare(int instances) {
        library.createTopics(IntStream.range(0, instances)
                .boxed()
                .flatMap(instance -> topics(instance).stream())
                .toList());
    }

    private List<String> topics(int instance) {
        return IntStream.rangeClosed(0, plan.shape().services())
                .mapToObj(index -> "cooperative-" + unique + "-" + instance + "-" + index)
                .toList();
    }

    /** The loops of an instance's sender, of each service, and of its receiver. */
    private List<CooperativeLoop> loopsOf(int instance) {
        int parts = plan.shape().services() + 2;
        if (plan.loops().isCooperative()) {
            int most = Integer.parseInt(plan.loops().threading().substring(LoopPlan.COOPERATIVE.length()));
            if (loops.size() < most) {
                loops.add(loop(instance));
            }
            CooperativeLoop loop = loops.get(instance % loops.size());
            return IntStream.range(0, parts).mapToObj(part -> loop).toList();
        }
        List<CooperativeLoop> own =
                IntStream.range(0, parts).mapToObj(part -> loop(instance)).toList();
        loops.addAll(own);
        return own;
    }

    private static int batch(TrialPlan plan) {
        return plan.loops().batch() == 0 ? DEFAULT_BATCH : plan.loops().batch();
    }

    private CooperativeLoop loop(int instance) {
        StepLibrary.Io io = library.io();
        boolean awaitsNews = io.waiting() != null; // as Baton's connection to a server does
        return new CooperativeLoop(
                "cooperative-" + (loops.size() + 1),
                io,
                plan.loops(),
                batch(plan),
                // with other loops, room on one of them wakes no writer
                plan.loops().isCooperative() && (library.needsWake() || awaitsNews),
                sweepsPerMessage,
                cause -> failed(cause, instance));
    }

    @Override
    public void start(ChainEnds ends) {
        int instance = ends.index();
        List<CooperativeLoop> own = loopsOf(instance);
        StepLibrary.Chain chain = library.chain(
                ends, topics(instance), own.stream().map(each -> each.io).toList());
        entries.add(chain.entry());
        if (sweepsPerMessage > 1) {
            own.stream().distinct().forEach(loop -> loop.addRoundTrips(sweepsPerMessage));
        }
        CooperativeLoop first = own.get(1);
        if (generators == null) {
            LoopStep.Feeding feeding = new LoopStep.Feeding(ends.generator(), chain.entry());
            feedings.add(feeding);
            await(own.get(0).add(own.get(0) == first ? feeding : waking(feeding, first)));
        }
        for (int part = 1; part < own.size(); part++) {
            CooperativeLoop loop = own.get(part);
            CooperativeLoop next = part + 1 < own.size() ? own.get(part + 1) : loop;
            LoopStep step = chain.steps().get(part - 1);
            await(loop.add(next == loop ? step : waking(step, next)));
        }
        if (generators != null) {
            MessageSource source = flushing(ends.generator(), chain.entry(), first);
            generators.add(instance, source, chain.entry(), () -> {}, OPEN_LIMIT);
        }
        started.add(instance);
    }

    /** A source on the generators' thread whose messages are visible when its turn ends. */
    private MessageSource flushing(MessageSource source, LoopStep.Entry entry, CooperativeLoop reader) {
        boolean needsWake = library.needsWake();
        return new MessageSource() {
            @Override
            public int onTurn(SourceSender sender) {
                int sent = source.onTurn(sender);
                entry.flush();
                if (sent > 0 && needsWake) {
                    reader.wake();
                }
                return sent;
            }

            @Override
            public long deadlineNanos() {
                return source.deadlineNanos();
            }
        };
    }

    /** A step whose output another loop reads. */
    private LoopStep waking(LoopStep step, CooperativeLoop reader) {
        if (!library.needsWake()) {
            return step;
        }
        return new LoopStep() {
            @Override
            public void open() {
                step.open();
            }

            @Override
            public int turn() {
                int work = step.turn();
                if (work > 0) {
                    reader.wake();
                }
                return work;
            }

            @Override
            public long deadlineNanos() {
                return step.deadlineNanos();
            }

            @Override
            public void close() {
                step.close();
            }
        };
    }

    private static void await(Future<Void> opened) {
        try {
            opened.get(OPEN_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException cause
                    ? cause
                    : new TransportException("a stage could not be opened: " + failed.getCause(), failed.getCause());
        } catch (TimeoutException late) {
            throw new TransportException("a stage was not open within " + OPEN_LIMIT.toSeconds() + " s", late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new TransportException("interrupted while starting a chain", interrupted);
        }
    }

    @Override
    public List<Long> generatorTasks() {
        return generators == null ? List.of() : List.of(generators.task());
    }

    @Override
    public void stop(Duration limit) {
        if (isStopped) {
            return;
        }
        isStopped = true;
        long deadline = System.nanoTime() + limit.toNanos();
        if (generators != null) {
            generators.close();
        }
        feedings.forEach(LoopStep.Feeding::end);
        if ((generators == null || tryFlush(deadline)) && isQuietBy(deadline)) {
            drained.addAll(started);
        }
        loops.forEach(CooperativeLoop::stop);
        awaitEnds();
        entries.forEach(this::close);
    }

    private void close(LoopStep.Entry entry) {
        try {
            entry.close();
        } catch (RuntimeException left) {
            failed(left, ANY_INSTANCE);
        }
    }

    /** Flushes what the generators' thread has sent; that thread has ended. @return whether it is visible in time */
    private boolean tryFlush(long deadline) {
        for (LoopStep.Entry entry : entries) {
            while (!entry.flush()) {
                if (System.nanoTime() - deadline >= 0) {
                    return false;
                }
                LockSupport.parkNanos(CHECK_NANOS);
            }
        }
        return true;
    }

    /** Returns whether all loops have found nothing for two sweeps each while none of them did anything. */
    private boolean isQuietBy(long deadline) {
        while (System.nanoTime() - deadline < 0 && failure().isEmpty()) {
            long work = work();
            List<Long> idle = loops.stream().map(CooperativeLoop::idleCount).toList();
            if (isAnswered(deadline) && haveSweptBy(deadline, idle) && work() == work) {
                return true;
            }
            LockSupport.parkNanos(CHECK_NANOS);
        }
        return false;
    }

    private long work() {
        return loops.stream().mapToLong(CooperativeLoop::work).sum();
    }

    private boolean haveSweptBy(long deadline, List<Long> idleBefore) {
        for (int i = 0; i < loops.size(); i++) {
            while (loops.get(i).idleCount() < idleBefore.get(i) + 2) {
                if (System.nanoTime() - deadline >= 0 || failure().isPresent()) {
                    return false;
                }
                LockSupport.parkNanos(CHECK_NANOS);
            }
        }
        return true;
    }

    private boolean isAnswered(long deadline) {
        for (CooperativeLoop loop : loops) {
            try {
                long left = Math.max(1, deadline - System.nanoTime());
                if (!loop.isQuiet().get(left, TimeUnit.NANOSECONDS)) {
                    return false;
                }
            } catch (ExecutionException | TimeoutException silent) {
                return false;
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    private void awaitEnds() {
        long limit = GRACE_NANOS + started.size() * CLOSE_NANOS;
        long last = System.nanoTime() + limit;
        try {
            for (CooperativeLoop loop : loops) {
                if (!loop.awaitEnd(last)) {
                    throw new TransportException(
                            "a cooperative loop did not end within " + TimeUnit.NANOSECONDS.toSeconds(limit) + " s");
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

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
            transport.close();
        }
    }
}
