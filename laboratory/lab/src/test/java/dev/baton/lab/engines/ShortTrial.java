package dev.baton.lab.engines;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Place;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.trial.ChainWorkload;
import dev.baton.lab.trial.TrialRunner;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Trials in this JVM that are too short to measure anything, and long enough to see whether messages get through. */
record ShortTrial(String engine, String transport, Map<String, String> options, Shape shape, Load load, String idle) {
    private static final long MILLI = 1_000_000;

    static ShortTrial of(String engine, String transport, Map<String, String> options) {
        return new ShortTrial(
                engine,
                transport,
                options,
                new Shape(3, 2, 21),
                new Load(500, Load.Arrivals.EVEN, 7),
                LoopPlan.DEFAULT_IDLE);
    }

    ShortTrial with(Load other) {
        return new ShortTrial(engine, transport, options, shape, other, idle);
    }

    ShortTrial withoutPayload() {
        return new ShortTrial(engine, transport, options, new Shape(3, 2, 0), load, idle);
    }

    ShortTrial withIdle(String words) {
        return new ShortTrial(engine, transport, options, shape, load, words);
    }

    TrialResult run(Path results) {
        return run(results, "cooperative:1");
    }

    TrialResult run(Path results, String threading) {
        return run(new Place(results.toString(), null, null, null, null, null, false), threading);
    }

    TrialResult keepingQueues(Path results) {
        return run(new Place(results.toString(), null, null, null, null, null, true), "cooperative:1");
    }

    private TrialResult run(Place place, String threading) {
        return new TrialRunner(
                        new PlacedTrial(
                                new TrialPlan(
                                        "short",
                                        new Subject(engine, transport, options),
                                        shape,
                                        load,
                                        new LoopPlan(threading, idle, 0),
                                        new Phases(
                                                100 * MILLI, (load.isSaturated() ? 1_000 : 300) * MILLI, 5_000 * MILLI),
                                        List.of()),
                                place),
                        ChainWorkload::open,
                        event -> {})
                .run();
    }
}
