package dev.baton.lab.study.density;

import dev.baton.lab.command.ChangedDefaults;
import dev.baton.lab.request.Load;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.TransportProvider;
import java.util.Map;

/**
 * What density does unless it is told otherwise, and its first guesses, which come from the transport. Stateless,
 * thread-safe.
 */
final class DensityDefaults extends ChangedDefaults {

    /** Rates and cores that the first guesses are for. */
    private static final double GUESSED_RATE = 1_000;

    private static final double GUESSED_CORES = 2;

    public DensityDefaults() {
        super(Map.of("--warmup", "20s"));
    }

    /** Where a search begins: about a tenth of what a machine holds, so that few trials are spent far below. */
    static int start(TransportProvider provider, String engine, Load load) {
        int guess = provider.firstGuess();
        double scaled = engine.equals(Subject.BATON)
                ? guess
                        * GUESSED_RATE
                        / load.ratePerSecond()
                        * Runtime.getRuntime().availableProcessors()
                        / GUESSED_CORES
                : 1;
        return (int) Math.max(1, Math.min(guess * 8, Math.round(scaled)));
    }
}
