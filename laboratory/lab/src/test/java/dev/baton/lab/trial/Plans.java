package dev.baton.lab.trial;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Place;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Plans for tests. */
final class Plans {
    static final Load EVEN_1000 = new Load(1000, Load.Arrivals.EVEN, 42);
    static final Load POISSON_1000 = new Load(1000, Load.Arrivals.POISSON, 42);

    private Plans() {}

    static PlacedTrial of(Path results, String transport, Map<String, String> options) {
        return of(results, transport, options, new Shape(5, 1, 0), EVEN_1000, "cooperative:1", 2_000);
    }

    static PlacedTrial of(
            Path results,
            String transport,
            Map<String, String> options,
            Shape shape,
            Load load,
            String threading,
            long measureMillis) {
        TrialPlan plan = new TrialPlan(
                transport + "-1",
                new Subject(Subject.BATON, transport, options),
                shape,
                load,
                new LoopPlan(threading, null, 0),
                new Phases(500_000_000L, measureMillis * 1_000_000, 2_000_000_000L),
                List.of());
        return new PlacedTrial(plan, new Place(results.toString(), null, null, null, null, null, false));
    }
}
