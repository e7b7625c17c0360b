package dev.baton.lab.trial;

import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.results.Json;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.measuring.rig.ChainRig;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The main class of a child that measures as the real one does, with services that burn time before they forward: a build
 * that was slowed down on purpose.
 */
public final class SlowedTrial {
    /** In each of the services. */
    private static final long BURNT_NANOS = 200_000;

    private SlowedTrial() {}

    public static void main(String[] arguments) throws IOException {
        PlacedTrial trial = Json.read(Path.of(arguments[0]), PlacedTrial.class);
        new TrialRunner(trial, SlowedTrial::open, event -> System.out.println(Json.line(event))).run();
        System.exit(0);
    }

    private static Workload open(Instruments instruments) {
        ChainRig rig = BatonRig.over(instruments, () -> Transports.open(instruments.trial()), number -> (in, out) -> {
            long start = System.nanoTime();
            while (System.nanoTime() - start < BURNT_NANOS) {
                Thread.onSpinWait();
            }
            out.forward(in);
        });
        return new ChainWorkload(instruments, rig);
    }
}
