package dev.baton.lab.study.selftest;

import static dev.baton.lab.study.selftest.Fault.Kind.CORRUPT;
import static dev.baton.lab.study.selftest.Fault.Kind.DUPLICATE;
import static dev.baton.lab.study.selftest.Fault.Kind.LOSE;
import static dev.baton.lab.study.selftest.Fault.Kind.REORDER;

import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
    static final String ROBBED = "robbed";
    static final String ROBBED_LITTLE = "robbed-little";

    /** Twice the same, and twice with a fifth more delay. */
    static final List<String> BUILDS = List.of("build-1", "slower-1", "build-2", "slower-2");

    static final long MILLI = 1_000_000;
    static final long MICRO = 1_000;

    static final long GENERATOR_STALL = 200 * MILLI;
    static final long SERVICE_STALL = 160 * MILLI;
    static final long RECEIVER_STALL = 130 * MILLI;
    static final long STALL_LIMIT = 50 * MILLI;
    static final long STOP = 300 * MILLI;
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

    /** The chain of {@link #CUT} holds its last messages back from this moment on, for longer than it has to drain. */
    static final long HELD_FROM = 1_999 * MILLI;

    static final long HELD = 900 * MILLI;
    static final long CUT_DRAIN = 300 * MILLI;

    /** The chain of {@link #ROBBED} cannot send any more from this moment on: 36 % of its messages. */
    static final long ROBBED_FROM = 640 * MILLI;

    private static final long WARMUP = 300 * MILLI;
    private static final int JUDGED_ON = 5;
    private static final String ONE_LOOP = "cooperative:1";
    private static final long SEED = 1;

    private SelftestPlans() {}

    /** The plan of that name. */
    static TrialPlan named(String id) {
        return switch (id) {
            case STALLS -> stalls();
            case DELAYS -> delays();
            case INSTANCES -> instances();
            case FAULTS -> faults();
            case STOPPED -> stopped();
            case CUT -> cut();
            case ROBBED -> robbed(id, 510);
            case ROBBED_LITTLE -> robbed(id, 100);
            default -> build(id);
        };
    }

    /** One thread of each of three chains stands still, each at another place, one after the other. */
    private static TrialPlan stalls() {
        return plan(
                STALLS,
                new Shape(1, 3, 0),
                1_000,
                LoopPlan.PER_SERVICE,
                3_000,
                1_000,
                new Limit(99, STALL_LIMIT, JUDGED_ON),
                SelftestStudy.of(
                        Fault.stall(0, Fault.Place.GENERATOR, 500 * MILLI, GENERATOR_STALL),
                        Fault.stall(1, Fault.Place.SERVICE, 1_300 * MILLI, SERVICE_STALL),
                        Fault.stall(2, Fault.Place.RECEIVER, 2_100 * MILLI, RECEIVER_STALL)));
    }

    /** 60 % of the messages take 0.25 ms, 36 % 2 ms, 3.6 % 5 ms, 0.4 % 20 ms. */
    private static TrialPlan delays() {
        return plan(
                DELAYS,
                new Shape(1, 1, 0),
                2_000,
                ONE_LOOP,
                2_500,
                1_000,
                new Limit(99.9, 1_000 * MILLI),
                SelftestStudy.of(
                        Fault.delay(0, 0, 250 * MICRO),
                        Fault.delay(0, 1_500 * MILLI, 2 * MILLI),
                        Fault.delay(0, 2_400 * MILLI, 5 * MILLI),
                        Fault.delay(0, 2_490 * MILLI, 20 * MILLI)));
    }

    /** Seven of eight chains take 2 ms; the last one takes 60 ms for 4 % of its messages. */
    private static TrialPlan instances() {
        List<Fault> faults = new ArrayList<>();
        for (int i = 0; i <= SLOW_INSTANCE; i++) {
            faults.add(Fault.delay(i, 0, 2 * MILLI));
        }
        faults.add(Fault.delay(SLOW_INSTANCE, 1_920 * MILLI, 60 * MILLI));
        return plan(
                INSTANCES,
                new Shape(1, SLOW_INSTANCE + 1, 0),
                500,
                ONE_LOOP,
                2_000,
                1_000,
                new Limit(99, INSTANCE_LIMIT, JUDGED_ON),
                new SelftestStudy(faults, 0));
    }

    /** One fault for each of five chains. */
    private static TrialPlan faults() {
        return plan(
                FAULTS,
                new Shape(1, REFUSED_INSTANCE + 1, 32),
                500,
                ONE_LOOP,
                2_000,
                500,
                null,
                SelftestStudy.of(
                        Fault.each(LOSE, 0, LOSE_EVERY),
                        Fault.each(DUPLICATE, 1, DUPLICATE_EVERY),
                        Fault.each(REORDER, 2, REORDER_EVERY),
                        Fault.each(CORRUPT, 3, CORRUPT_EVERY),
                        Fault.refuse(REFUSED_INSTANCE, REFUSED_FROM)));
    }

    /** Nothing is wrong with the transport; the process is stopped from outside. */
    private static TrialPlan stopped() {
        return plan(
                STOPPED,
                new Shape(1, 1, 0),
                1_000,
                ONE_LOOP,
                2_500,
                1_000,
                new Limit(99, STOP_LIMIT, JUDGED_ON),
                new SelftestStudy(List.of(), STOP));
    }

    /** The drain ends while the last two messages are on their way. */
    private static TrialPlan cut() {
        return plan(
                CUT,
                new Shape(1, 1, 0),
                2_000,
                ONE_LOOP,
                2_000,
                CUT_DRAIN / MILLI,
                null,
                SelftestStudy.of(Fault.delay(0, HELD_FROM, HELD)));
    }

    /** Falls short of its rate, on a host that is said to have withheld CPU time. */
    private static TrialPlan robbed(String id, long stolenMillis) {
        return plan(
                id,
                new Shape(1, 1, 0),
                1_000,
                ONE_LOOP,
                1_000,
                200,
                null,
                SelftestStudy.of(Fault.refuse(0, ROBBED_FROM), Fault.steal(stolenMillis * MILLI)));
    }

    private static TrialPlan build(String id) {
        if (!BUILDS.contains(id)) {
            throw new IllegalArgumentException("there is no trial '" + id + "'");
        }
        long delay = id.startsWith("slower") ? 12 * MILLI : 10 * MILLI;
        return plan(
                id, new Shape(1, 1, 0), 500, ONE_LOOP, 800, 1_000, null, SelftestStudy.of(Fault.delay(0, 0, delay)));
    }

    private static TrialPlan plan(
            String id,
            Shape shape,
            double rate,
            String threads,
            long measureMillis,
            long drainMillis,
            Limit limit,
            SelftestStudy study) {
        return new TrialPlan(
                id,
                new Subject(Subject.BATON, SelftestStudy.TRANSPORT, Map.of()),
                shape,
                new Load(rate, Load.Arrivals.EVEN, SEED),
                new LoopPlan(threads, null, 0),
                new Phases(WARMUP, measureMillis * MILLI, drainMillis * MILLI),
                limit == null ? List.of() : List.of(limit),
                study,
                null);
    }
}
