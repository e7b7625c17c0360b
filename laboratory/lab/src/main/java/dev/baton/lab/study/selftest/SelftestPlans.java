package dev.baton.lab.study.selftest;

import static dev.baton.lab.study.selftest.PlantedFault.Kind.CORRUPT;
import static dev.baton.lab.study.selftest.PlantedFault.Kind.DUPLICATE;
import static dev.baton.lab.study.selftest.PlantedFault.Kind.LOSE;
import static dev.baton.lab.study.selftest.PlantedFault.Kind.REORDER;

import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The trials of the self-test. Each serves several cases, so that the whole takes well under a minute; faults that would
 * hide each other are in different instances or different trials. Stateless, thread-safe.
 */
final class SelftestPlans {
    static final String STALLS = "stalls";
    static final String DELAYS = "delays";
    static final String INSTANCES = "instances";
    static final String FAULTS = "faults";
    static final String STOPPED = "stopped";
    static final String CUT = "cut";
    static final String IN_BURSTS = "in-bursts";
    static final String POISSON = "poisson";
    static final String FROM_SLOT = "from-slot";
    static final String FROM_SEND = "from-send";
    static final String ROBBED = "robbed";
    static final String ROBBED_LITTLE = "robbed-little";
    static final String CROWDED = "crowded";
    static final String CROWDED_LITTLE = "crowded-little";
    static final String PLAIN = "plain";
    static final String RECEIVER_STALLED = "receiver-stalled";

    /** Twice the same, and twice with a fifth more delay. */
    static final List<String> BUILDS = List.of("build-1", "slower-1", "build-2", "slower-2");

    static final long MILLI = 1_000_000;
    static final long MICRO = 1_000;

    static final long STALL_LIMIT = 50 * MILLI;
    static final long STOP_LIMIT = 100 * MILLI;
    static final long INSTANCE_LIMIT = 40 * MILLI;

    /** The instance of {@link #INSTANCES} that is slow: the last of eight. */
    static final int SLOW_INSTANCE = 7;

    static final int LOSE_EVERY = 50;
    static final int DUPLICATE_EVERY = 40;
    static final int REORDER_EVERY = 30;
    static final int CORRUPT_EVERY = 25;

    /** The instance of {@link #FAULTS} that cannot send any more from this moment on. */
    static final int REFUSED_INSTANCE = 4;

    static final long REFUSED_FROM = 1_800 * MILLI;

    static final int BURST = 20;

    /** The stall of the service, while messages arrive in bursts or as a Poisson process. */
    static final long ARRIVALS_STALL = 150 * MILLI;

    private static final int JUDGED_ON = 5;
    private static final long SYSTEM_WARMUP = 2_000 * MILLI;

    private SelftestPlans() {}

    /** Chains of one service, at a rate for each of them, and for how long. */
    private record Chains(int count, int payloadBytes, double rate, long measureMillis, long drainMillis) {}

    private static Chains one(double rate, long measureMillis, long drainMillis) {
        return new Chains(1, 0, rate, measureMillis, drainMillis);
    }

    static TrialPlan named(String id) {
        return switch (id) {
            // one thread of each of three chains stands still, each at another place, one after the other
            case STALLS ->
                plan(
                        id,
                        new Chains(3, 0, 1_000, 3_000, 1_000),
                        new Limit(99, STALL_LIMIT, JUDGED_ON),
                        PlantedFault.stall(0, PlantedFault.Place.GENERATOR, 500 * MILLI, 200 * MILLI),
                        PlantedFault.stall(1, PlantedFault.Place.SERVICE, 1_300 * MILLI, 160 * MILLI),
                        PlantedFault.stall(2, PlantedFault.Place.RECEIVER, 2_100 * MILLI, 130 * MILLI));
            // 60 % of the messages take 0.25 ms, 36 % 2 ms, 3.6 % 5 ms, 0.4 % 20 ms
            case DELAYS ->
                plan(
                        id,
                        one(2_000, 2_500, 1_000),
                        new Limit(99.9, 1_000 * MILLI),
                        PlantedFault.delay(0, 0, 250 * MICRO),
                        PlantedFault.delay(0, 1_500 * MILLI, 2 * MILLI),
                        PlantedFault.delay(0, 2_400 * MILLI, 5 * MILLI),
                        PlantedFault.delay(0, 2_490 * MILLI, 20 * MILLI));
            case INSTANCES -> instances();
            // one fault for each of five chains
            case FAULTS ->
                plan(
                        id,
                        new Chains(REFUSED_INSTANCE + 1, 32, 500, 2_000, 500),
                        null,
                        PlantedFault.each(LOSE, 0, LOSE_EVERY),
                        PlantedFault.each(DUPLICATE, 1, DUPLICATE_EVERY),
                        PlantedFault.each(REORDER, 2, REORDER_EVERY),
                        PlantedFault.each(CORRUPT, 3, CORRUPT_EVERY),
                        PlantedFault.refuse(REFUSED_INSTANCE, REFUSED_FROM));
            // nothing is wrong with the transport; the process is stopped from outside
            case STOPPED ->
                plan(id, one(1_000, 2_500, 1_000), new Limit(99, STOP_LIMIT, JUDGED_ON))
                        .asking(new SelftestStudy(List.of(), 300 * MILLI));
            // the last two messages are held back for longer than the chain has to drain
            case CUT -> plan(id, one(2_000, 2_000, 300), null, PlantedFault.delay(0, 1_999 * MILLI, 900 * MILLI));
            // nothing is wrong with the transport; a service stands still between two bursts and during one
            case IN_BURSTS -> arriving(id, Load.Arrivals.BURSTS, BURST);
            // the generator stands still, which shows from the slot alone
            case FROM_SLOT -> stalledGenerator(id, Load.LatencyFrom.SLOT);
            case FROM_SEND -> stalledGenerator(id, Load.LatencyFrom.SEND);
            case POISSON -> arriving(id, Load.Arrivals.POISSON, 0);
            case PLAIN -> plan(id, one(1_000, 2_000, 1_000), null);
            case RECEIVER_STALLED ->
                plan(
                        id,
                        one(1_000, 2_000, 1_000),
                        new Limit(99, STALL_LIMIT, JUDGED_ON),
                        PlantedFault.stall(0, PlantedFault.Place.RECEIVER, 500 * MILLI, 130 * MILLI));
            case ROBBED -> robbed(id, PlantedFault.steal(510 * MILLI));
            case ROBBED_LITTLE -> robbed(id, PlantedFault.steal(100 * MILLI));
            case CROWDED -> robbed(id, PlantedFault.crowd(760 * MILLI));
            case CROWDED_LITTLE -> robbed(id, PlantedFault.crowd(100 * MILLI));
            default -> build(id);
        };
    }

    /** Returns the trial of a system, with a warm-up in which it can load its classes and connect. */
    static TrialPlan named(String id, Subject system) {
        TrialPlan plan = named(id);
        Phases phases = plan.phases();
        return new TrialPlan(
                id,
                system,
                plan.shape(),
                plan.load(),
                plan.loops(),
                new Phases(SYSTEM_WARMUP, phases.measureNanos(), phases.drainNanos()),
                plan.limits(),
                plan.study(),
                null);
    }

    /** Seven of eight chains take 2 ms; the last one takes 60 ms for 4 % of its messages. */
    private static TrialPlan instances() {
        Stream<PlantedFault> all =
                IntStream.rangeClosed(0, SLOW_INSTANCE).mapToObj(i -> PlantedFault.delay(i, 0, 2 * MILLI));
        Stream<PlantedFault> slow = Stream.of(PlantedFault.delay(SLOW_INSTANCE, 1_920 * MILLI, 60 * MILLI));
        PlantedFault[] faults = Stream.concat(all, slow).toArray(PlantedFault[]::new);
        Limit limit = new Limit(99, INSTANCE_LIMIT, JUDGED_ON);
        return plan(INSTANCES, new Chains(SLOW_INSTANCE + 1, 0, 500, 2_000, 1_000), limit, faults);
    }

    private static TrialPlan arriving(String id, Load.Arrivals arrivals, int burst) {
        TrialPlan even = plan(
                id,
                one(1_000, 2_000, 1_000),
                null,
                PlantedFault.stall(0, PlantedFault.Place.SERVICE, 1_000 * MILLI, ARRIVALS_STALL));
        return even.under(even.load().arriving(arrivals, burst));
    }

    private static TrialPlan stalledGenerator(String id, Load.LatencyFrom from) {
        TrialPlan plan = plan(
                id,
                one(1_000, 2_000, 1_000),
                new Limit(99, STALL_LIMIT, JUDGED_ON),
                PlantedFault.stall(0, PlantedFault.Place.GENERATOR, 500 * MILLI, 200 * MILLI));
        return plan.under(plan.load().readFrom(from).sentFrom(Load.Generator.THREAD));
    }

    /** Cannot send the last 36 % of its messages, where the host or other processes are said to have withheld CPU time. */
    private static TrialPlan robbed(String id, PlantedFault withheld) {
        PlantedFault refusal = PlantedFault.refuse(0, 640 * MILLI);
        return plan(id, one(1_000, 1_000, 200), null, refusal, withheld);
    }

    private static TrialPlan build(String id) {
        if (!BUILDS.contains(id)) {
            throw new IllegalArgumentException("there is no trial '" + id + "'");
        }
        long delay = id.startsWith("slower") ? 12 * MILLI : 10 * MILLI;
        return plan(id, one(500, 800, 1_000), null, PlantedFault.delay(0, 0, delay));
    }

    /** Trials in which one thread of a chain is stalled, each thread on a separate loop. */
    private static final List<String> STALLED = List.of(STALLS, IN_BURSTS, POISSON, FROM_SLOT, FROM_SEND);

    /** Creates a plan on one loop, or on separate loops if threads are stalled. */
    private static TrialPlan plan(String id, Chains chains, Limit limit, PlantedFault... faults) {
        return new TrialPlan(
                id,
                new Subject(Subject.BATON, SelftestStudy.TRANSPORT, Map.of()),
                new Shape(1, chains.count, chains.payloadBytes),
                new Load(chains.rate, Load.Arrivals.EVEN, 1),
                new LoopPlan(STALLED.contains(id) ? LoopPlan.PER_SERVICE : LoopPlan.COOPERATIVE + 1, null, 0),
                new Phases(300 * MILLI, chains.measureMillis * MILLI, chains.drainMillis * MILLI),
                limit == null ? List.of() : List.of(limit),
                SelftestStudy.of(faults),
                null);
    }
}
