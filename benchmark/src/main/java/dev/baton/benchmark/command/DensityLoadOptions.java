package dev.baton.benchmark.command;

import static dev.baton.benchmark.command.Checks.require;

import dev.baton.benchmark.plan.Limit;
import dev.baton.benchmark.plan.Load;
import dev.baton.benchmark.plan.Phases;
import dev.baton.benchmark.plan.Shape;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;

/** How long and how heavy each chain is, and how long a trial lasts; how many there are is what is searched for. */
final class DensityLoadOptions {
    /** Samples above a percentile that show where to look; 100 are needed for a verdict. */
    static final int LOOKING_SAMPLES = 10;

    /** An instance's first slot does not lie on the first moment of the window. */
    private static final int SPARE_MESSAGES = 2;

    private static final long SECOND = 1_000_000_000;

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(7);
    private static final Duration WARMUP = Duration.ofSeconds(20);
    private static final Duration DURATION = Duration.ofSeconds(30);
    private static final Duration QUICK_WARMUP = Duration.ofSeconds(3);
    private static final Duration QUICK_DURATION = Duration.ofSeconds(10);

    /** Time for a backlog to arrive; what comes later counts as lost. */
    private static final Duration DRAIN = Duration.ofSeconds(10);

    @Option(
            names = "--services",
            paramLabel = "N",
            defaultValue = "5",
            converter = NumberConverter.class,
            description = "services in each chain, 1 to " + Shape.MOST_SERVICES + " (default: 5)")
    private BigDecimal services;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "1000",
            converter = NumberConverter.class,
            description = "messages per second into each instance, such as 1000, 0.5 or 20k (default: 1000)")
    private BigDecimal rate;

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            converter = TimeConverter.class,
            description = "time at the same rate before anything is recorded (default: 20s)")
    private Duration warmup;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = TimeConverter.class,
            description = "time that a trial records which looks for the capacity (default: 30s); those that decide"
                    + " last as long as a verdict needs: 100 messages above the limit's percentile")
    private Duration duration;

    @Option(
            names = "--payload",
            paramLabel = "BYTES",
            defaultValue = "0",
            converter = NumberConverter.class,
            description = "bytes behind the 40-byte header of each message (default: 0)")
    private BigDecimal payload;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "of everything drawn at random, the order of the trials included (default: 1)")
    private long seed;

    Shape shape(int instances) {
        return new Shape(
                Checks.integer("--services", services, 1, Shape.MOST_SERVICES),
                instances,
                Checks.integer("--payload", payload, 0, Integer.MAX_VALUE));
    }

    Load load() {
        require(
                rate.compareTo(BigDecimal.valueOf(Load.LEAST_RATE)) >= 0
                        && rate.compareTo(BigDecimal.valueOf(Load.MOST_RATE)) <= 0,
                "--rate " + rate.toPlainString() + " is out of range; 0.001 to 10000000 messages per second");
        return new Load(rate.doubleValue(), Load.Arrivals.EVEN, seed);
    }

    /** Of a trial that looks for the capacity: long enough to look at these limits. */
    Phases looking(List<Limit> limits, boolean isQuick) {
        Duration before = warmup != null ? warmup : isQuick ? QUICK_WARMUP : WARMUP;
        Duration during = duration != null ? duration : isQuick ? QUICK_DURATION : DURATION;
        Checks.time("--warmup", before, SHORTEST, LONGEST);
        Checks.time("--duration", during, SHORTEST, LONGEST);
        long needed = neededNanos(limits, LOOKING_SAMPLES);
        require(
                duration == null || duration.toNanos() >= needed,
                "--duration " + Limit.time(during.toNanos()) + " is too short to look at " + texts(limits)
                        + ": it takes " + Limit.time(needed) + " at this rate until " + LOOKING_SAMPLES
                        + " messages lie above");
        return new Phases(before.toNanos(), Math.max(during.toNanos(), needed), DRAIN.toNanos());
    }

    /** Of a trial that decides: long enough for a verdict, unless there is no time for one. */
    Phases deciding(List<Limit> limits, boolean isQuick) {
        Phases looking = looking(limits, isQuick);
        return isQuick
                ? looking
                : new Phases(
                        looking.warmupNanos(),
                        Math.max(looking.measureNanos(), neededNanos(limits, Limit.ENOUGH_SAMPLES)),
                        looking.drainNanos());
    }

    long seed() {
        return seed;
    }

    private long neededNanos(List<Limit> limits, int samples) {
        double perSecond = load().ratePerSecond();
        long nanos = limits.stream()
                .mapToLong(limit -> limit.runForNanos(samples, perSecond))
                .max()
                .orElse(0);
        long spared = nanos + (long) (SPARE_MESSAGES * 1e9 / perSecond);
        return spared < SECOND ? spared : (spared + SECOND - 1) / SECOND * SECOND;
    }

    private static String texts(List<Limit> limits) {
        return String.join(",", limits.stream().map(Limit::toString).toList());
    }
}
