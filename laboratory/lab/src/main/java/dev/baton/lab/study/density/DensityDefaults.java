package dev.baton.lab.study.density;

import dev.baton.lab.command.ChangedDefaults;
import dev.baton.lab.request.Load;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.TransportProvider;
import java.util.Map;

/** What density does unless told otherwise, and the transport's first guesses. Stateless, thread-safe. */
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
        int cores = Runtime.getRuntime().availableProcessors();
        double scaled = guess * GUESSED_RATE / load.ratePerSecond() * cores / GUESSED_CORES;
        return (int) Math.max(1, Math.min(guess * 8, engine.equals(Subject.BATON) ? Math.round(scaled) : 1));
    }
}
