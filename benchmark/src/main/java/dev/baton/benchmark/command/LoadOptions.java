package dev.baton.benchmark.command;

import static dev.baton.benchmark.command.Checks.require;

import dev.baton.benchmark.plan.Load;
import dev.baton.benchmark.plan.Shape;
import java.math.BigDecimal;
import picocli.CommandLine.Option;

/** How many chains, and at which rate messages are sent through them: options of an open loop. */
final class LoadOptions extends TrialOptions {
    @Option(
            names = "--instances",
            paramLabel = "N",
            defaultValue = "1",
            converter = NumberConverter.class,
            description = "chains with topics of their own, 1 to " + Shape.MOST_INSTANCES + " (default: 1)")
    private BigDecimal instances;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "1000",
            converter = RateConverter.class,
            description = "messages per second into each instance, such as 1000, 0.5 or 20k; or max: as many as go"
                    + " through, closed by back-pressure (default: 1000)")
    private RateConverter.Typed rate;

    Shape shape() {
        return shape(Checks.integer("--instances", instances, 1, Shape.MOST_INSTANCES));
    }

    Load load() {
        if (rate.isMax()) {
            return Load.saturating(seed());
        }
        BigDecimal perSecond = rate.perSecond();
        require(
                perSecond.compareTo(BigDecimal.valueOf(Load.LEAST_RATE)) >= 0
                        && perSecond.compareTo(BigDecimal.valueOf(Load.MOST_RATE)) <= 0,
                "--rate " + perSecond.toPlainString() + " is out of range; 0.001 to 10000000 messages per second");
        return new Load(perSecond.doubleValue(), Load.Arrivals.EVEN, seed());
    }

    /** Bytes that all messages of a run take on a disk, generously. */
    long diskBytes() {
        return diskBytes(
                instances.doubleValue(),
                rate.isMax() ? null : Double.valueOf(rate.perSecond().doubleValue()));
    }
}
