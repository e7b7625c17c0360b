package dev.baton.lab.study.soak;

import dev.baton.lab.command.LoadOptions;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.NumberConverter;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.Option;

/** How long a soak is, and how often it counts what is held. */
final class SoakOptions extends LoadOptions {
    private static final Duration QUICK_WARMUP = Duration.ofSeconds(15);
    private static final Duration QUICK_DURATION = Duration.ofSeconds(60);

    @Option(
            names = "--points",
            paramLabel = "N",
            defaultValue = "60",
            converter = NumberConverter.class,
            description =
                    "how often memory, descriptors, threads and disk are counted, evenly over --duration and once a"
                            + " second at most; each count collects all garbage first, which stops the chains for some"
                            + " milliseconds; 20 to 1000 (default: ${DEFAULT-VALUE})")
    private BigDecimal points;

    /** For the proof that a soak sees what it is to see. */
    @Option(names = "--plant", paramLabel = "LEAK", hidden = true)
    private String leak;

    SoakStudy study() {
        return new SoakStudy(
                Checks.integer("--points", points, SoakStudy.LEAST_POINTS, SoakStudy.MOST_POINTS), planted());
    }

    private Leak planted() {
        return leak == null
                ? null
                : Checks.named(
                        "--plant",
                        leak,
                        "not known",
                        Leak.values(),
                        each -> each.name().toLowerCase(Locale.ROOT));
    }

    @Override
    public Duration quickWarmup() {
        return QUICK_WARMUP;
    }

    @Override
    public Duration quickDuration() {
        return QUICK_DURATION;
    }
}
