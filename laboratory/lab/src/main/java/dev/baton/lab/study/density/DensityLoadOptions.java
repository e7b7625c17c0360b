package dev.baton.lab.study.density;

import static dev.baton.operations.line.Checks.require;

import dev.baton.lab.command.TrialOptions;
import dev.baton.lab.command.load.ArrivalOptions;
import dev.baton.lab.command.load.GeneratorOptions;
import dev.baton.lab.command.load.ReadingOptions;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Load.Generator;
import dev.baton.lab.request.Phases;
import dev.baton.operations.chains.ChainOptions;
import dev.baton.operations.chains.NamedChain;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import java.math.BigDecimal;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The length and the load of each chain, and the length of a trial; the number of chains is searched. */
final class DensityLoadOptions extends TrialOptions {
    /** Samples above a percentile that show where to look; 100 are needed for a verdict. */
    static final int LOOKING_SAMPLES = 10;

    @Mixin
    private ChainOptions chains;

    @OptionGroup(Heading.LOAD)
    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "1000",
            description = {"messages per second per instance (default: 1000)", "such as 1000, 0.5 or 20k"})
    private BigDecimal rate;

    @Mixin
    private ArrivalOptions arrivals;

    @Mixin
    private GeneratorOptions generator;

    @Mixin
    private ReadingOptions reading;

    @Override
    protected NamedChain chain() {
        return chains.choose();
    }

    public Load load() {
        return readBy(List.of());
    }

    /** Returns the load; refuses a begin of latencies by which one of these engines is not judged. */
    Load readBy(List<String> engines) {
        return reading.of(generator.of(arrivals.of(load(rate)), Generator.LOOP), engines);
    }

    /** Response times of each instance: fewer than messages where services filter. */
    double recordedPerSecond() {
        return load().ratePerSecond() * outputsPerMessage(shape(1));
    }

    /** Returns the phases of an exploratory trial: long enough for a first estimate of these limits. */
    Phases exploratory(List<Limit> limits) {
        Phases phases = phases();
        long needed = neededNanos(limits, LOOKING_SAMPLES);
        require(
                !isTyped("--duration") || phases.measureNanos() >= needed,
                "--duration " + Limit.time(phases.measureNanos()) + " is too short to look at " + texts(limits)
                        + ": it takes " + Limit.time(needed) + " at this rate until " + LOOKING_SAMPLES
                        + " messages lie above");
        return atLeast(phases, needed);
    }

    /** Returns the phases of a deciding trial: long enough for a verdict, unless the budget is too short. */
    Phases deciding(List<Limit> limits) {
        Phases exploratory = exploratory(limits);
        return isQuick() ? exploratory : atLeast(exploratory, neededNanos(limits, Limit.ENOUGH_SAMPLES));
    }

    private static Phases atLeast(Phases phases, long measureNanos) {
        return phases.measuring(Math.max(phases.measureNanos(), measureNanos));
    }

    private long neededNanos(List<Limit> limits, int samples) {
        return neededNanos(limits, samples, load(), recordedPerSecond());
    }

    private static String texts(List<Limit> limits) {
        return String.join(",", limits.stream().map(Limit::toString).toList());
    }
}
