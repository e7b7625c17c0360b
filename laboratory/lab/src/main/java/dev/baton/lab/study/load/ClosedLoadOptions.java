package dev.baton.lab.study.load;

import dev.baton.lab.command.TrialOptions;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Shape;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.NumberConverter;
import java.math.BigDecimal;
import java.time.Duration;
import picocli.CommandLine.Option;

/** How many clients ask one chain, and for how long: options of a closed loop. */
final class ClosedLoadOptions extends TrialOptions {
    private static final Duration QUICK_DURATION = Duration.ofSeconds(4);

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            defaultValue = "50",
            converter = NumberConverter.class,
            description = "requests that are always in flight, 1 to " + Load.MOST_CONCURRENCY
                    + "; each client sends its next when its answer is there (default: 50)")
    private BigDecimal concurrency;

    public Shape shape() {
        return shape(1);
    }

    Load load() {
        return Load.closed(Checks.integer("--concurrency", concurrency, 1, Load.MOST_CONCURRENCY), seed());
    }

    @Override
    public Duration quickDuration() {
        return QUICK_DURATION;
    }
}
