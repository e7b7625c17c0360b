package dev.baton.lab.engines;

import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.systems.ForeignSystem;
import dev.baton.measuring.Schedule;
import dev.baton.measuring.rig.ChainRig;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.options.OptionSpec;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * Opens the reference loops and the primitive queues: which transports have some, and which way of idling they know.
 * Stateless, thread-safe.
 */
public final class ReferenceEngine {
    private static final String DISRUPTOR = "disruptor";
    private static final String CHRONICLE = "chronicle";
    private static final String KAFKA = "kafka";
    private static final String AERON = "aeron";

    private static final Map<String, List<String>> TRANSPORTS = Map.of(
            Subject.REFERENCE, List.of(DISRUPTOR, CHRONICLE, KAFKA, AERON),
            Subject.REFERENCE_COOPERATIVE, List.of(DISRUPTOR, CHRONICLE, KAFKA, AERON),
            Subject.PRIMITIVE, PrimitiveQueue.names(),
            Subject.REFERENCE_ARTICLE, List.of(CHRONICLE, KAFKA));

    private ReferenceEngine() {}

    /** {@return whether an engine is the library without Baton} */
    public static boolean isReference(String engine) {
        return TRANSPORTS.containsKey(engine);
    }

    /**
     * The threads that an engine runs when these were asked for: Baton and the cooperative reference the same, the other
     * reference loops always one for each service, with no latency budget.
     *
     * @param over a transport, or a primitive queue, which may be for virtual threads
     */
    public static LoopPlan threads(String engine, TransportProvider over, LoopPlan asked) {
        if (over instanceof ForeignSystem) {
            return new LoopPlan(LoopPlan.PER_SERVICE, LoopPlan.DEFAULT_IDLE, 0); // which it does not read
        }
        boolean isVirtual = over instanceof PrimitiveQueue queue && queue.isVirtual();
        return isReference(engine) && !engine.equals(Subject.REFERENCE_COOPERATIVE)
                ? new LoopPlan(isVirtual ? "virtual" : LoopPlan.PER_SERVICE, asked.idle(), 0)
                : asked;
    }

    /** Returns whether an engine runs over this: primitive queues and systems are over no transport. */
    public static boolean isOver(String engine, TransportProvider over) {
        return switch (engine) {
            case Subject.PRIMITIVE -> over instanceof PrimitiveQueue;
            case Subject.SYSTEM -> over instanceof ForeignSystem;
            default -> isTransport(over);
        };
    }

    /** Returns whether this can be opened as a transport, which primitive queues and systems cannot. */
    public static boolean isTransport(TransportProvider over) {
        return !(over instanceof PrimitiveQueue || over instanceof ForeignSystem);
    }

    /**
     * Finds out before anything is opened whether there is such an engine for this transport, and whether it can idle as
     * asked.
     *
     * @throws IllegalArgumentException when not; the text names what there is
     */
    public static void check(Subject subject, LoopPlan loops) {
        if (subject.engine().equals(Subject.BATON) || subject.engine().equals(Subject.SYSTEM)) {
            return;
        }
        List<String> transports = TRANSPORTS.get(subject.engine());
        if (transports == null) {
            throw new IllegalArgumentException("unknown engine '" + subject.engine() + "'; known: "
                    + String.join(
                            ", ",
                            Subject.BATON,
                            Subject.REFERENCE,
                            Subject.REFERENCE_COOPERATIVE,
                            Subject.REFERENCE_ARTICLE,
                            Subject.PRIMITIVE,
                            Subject.SYSTEM + ":NAME"));
        }
        if (!transports.contains(subject.transport())) {
            throw new IllegalArgumentException("engine " + subject.engine() + " has no loops for " + subject.transport()
                    + "; it has some for " + String.join(", ", transports));
        }
        if (!subject.engine().equals(Subject.REFERENCE_COOPERATIVE)) {
            Pause.check(loops.idle());
        } else if (loops.threading().equals(LoopPlan.VIRTUAL)) {
            throw new IllegalArgumentException("engine " + subject.engine()
                    + " has no virtual threads; it runs with --threading cooperative:N or per-service");
        }
    }

    /**
     * Opens the loops.
     *
     * @param transport Baton's own over the same library: it has read and checked the options, it says what the library
     *     promises, and it makes and removes topics where that takes a cluster. It carries no message. The rig closes it
     * @param specs the options that {@code transport} was opened with
     * @throws IllegalArgumentException for what {@link #check} refuses
     */
    public static ChainRig open(PlacedTrial trial, Transport transport, List<OptionSpec> specs) {
        TrialPlan plan = trial.plan();
        check(plan.subject(), plan.loops());
        PassedOptions settings = new PassedOptions(trial.subject(), specs);
        Pause pause = Pause.of(plan.loops().idle(), plan.load());
        return new ReferenceRig(
                plan.shape().services(),
                transport.name(),
                transport,
                library(trial, transport, settings, pause),
                part -> {},
                plan.load().isSentFromThread());
    }

    /**
     * Opens threads with a primitive queue between each two, which take no transport.
     *
     * @throws IllegalArgumentException for what {@link #check} refuses, and for virtual threads on a JVM without them
     */
    public static ChainRig primitive(TrialPlan plan) {
        check(plan.subject(), plan.loops());
        PrimitiveQueue queue = PrimitiveQueue.named(plan.subject().transport());
        Pause asked = Pause.of(plan.loops().idle(), plan.load());
        PrimitiveLibrary library = new PrimitiveLibrary(
                queue,
                plan.shape().payloadBytes(),
                // a virtual thread that spins would keep its carrier from those that it waits for
                queue.isVirtual() && asked.kind() == Pause.Kind.SPIN ? new Pause(Pause.Kind.YIELD, 0) : asked,
                plan.loops().idle().equals(LoopPlan.DEFAULT_IDLE));
        return new ReferenceRig(
                plan.shape().services(),
                queue.name(),
                null,
                library,
                part -> {},
                plan.load().isSentFromThread());
    }

    /**
     * Two threads that hand over one number at a time and nothing else, in the loops that the libraries' threads run: the
     * floor under what any of them can reach here. Of the plan its load and its idle strategy hold.
     *
     * @param schedules gives the generator's schedule once it has begun; called by the receiving thread
     */
    public static ChainRig bare(TrialPlan plan, Supplier<Schedule> schedules) {
        ReferenceRig.Library library = new HandOverLibrary(Pause.of(plan.loops().idle(), plan.load()), schedules);
        return new ReferenceRig(0, "hand-over", null, library, part -> {}, false);
    }

    /**
     * A producer, a ring of the Disruptor that carries the time and nothing else, and an accumulator. Of the plan its load,
     * its idle strategy and its services hold, which messages are said to have passed.
     *
     * @param place where the two threads run, for a person
     * @param onThread called by each of them as it starts: the producer is 0, the accumulator 1
     */
    public static ChainRig timeRing(TrialPlan plan, String place, IntConsumer onThread) {
        Pause pause = Pause.of(plan.loops().idle(), plan.load());
        TimeRingLibrary library = new TimeRingLibrary(pause, plan.shape().services(), place);
        return new ReferenceRig(0, DISRUPTOR, null, library, onThread, false);
    }

    private static ReferenceRig.Library library(
            PlacedTrial trial, Transport transport, PassedOptions settings, Pause pause) {
        TrialPlan plan = trial.plan();
        boolean isKept = trial.place().isKept();
        boolean isArticle = plan.subject().engine().equals(Subject.REFERENCE_ARTICLE);
        if (isArticle && plan.shape().payloadBytes() > 0) {
            throw new IllegalArgumentException("engine " + Subject.REFERENCE_ARTICLE
                    + " sends a long and an int as the article does, and no payload; omit --payload");
        }
        return switch (plan.subject().transport()) {
            case DISRUPTOR -> new RingLibrary(settings, pause, plan.shape().payloadBytes());
            case CHRONICLE -> new QueueLibrary(settings, pause, isArticle, isKept);
            case AERON -> new StreamLibrary(settings, pause);
            default -> new TopicLibrary(settings, pause, transport, PollWait.of(plan), isArticle, isKept);
        };
    }
}
