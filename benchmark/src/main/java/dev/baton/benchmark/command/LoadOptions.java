package dev.baton.benchmark.command;

import static dev.baton.benchmark.command.Checks.require;

import dev.baton.benchmark.plan.Load;
import dev.baton.benchmark.plan.Phases;
import dev.baton.benchmark.plan.Shape;
import java.math.BigDecimal;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How many chains, how long, how heavy, and what is sent through them: options that every measuring command shares. */
final class LoadOptions {
    /** Of all topics together, per second; Chronicle was seen to write 5 million of 45 bytes on two cores, which is less. */
    private static final double SATURATED_FRAMES = 3_000_000;

    @Option(
            names = "--services",
            paramLabel = "N",
            defaultValue = "5",
            converter = NumberConverter.class,
            description = "services in each chain, 1 to " + Shape.MOST_SERVICES + " (default: 5)")
    private BigDecimal services;

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

    @Option(
            names = "--payload",
            paramLabel = "BYTES",
            defaultValue = "0",
            converter = NumberConverter.class,
            description = "bytes behind the 40-byte header of each message (default: 0)")
    private BigDecimal payload;

    @Mixin
    private CourseOptions course;

    Shape shape() {
        return new Shape(
                Checks.integer("--services", services, 1, Shape.MOST_SERVICES),
                Checks.integer("--instances", instances, 1, Shape.MOST_INSTANCES),
                Checks.integer("--payload", payload, 0, Integer.MAX_VALUE));
    }

    Load load() {
        if (rate.isMax()) {
            return Load.saturating(course.seed());
        }
        BigDecimal perSecond = rate.perSecond();
        require(
                perSecond.compareTo(BigDecimal.valueOf(Load.LEAST_RATE)) >= 0
                        && perSecond.compareTo(BigDecimal.valueOf(Load.MOST_RATE)) <= 0,
                "--rate " + perSecond.toPlainString() + " is out of range; 0.001 to 10000000 messages per second");
        return new Load(perSecond.doubleValue(), Load.Arrivals.EVEN, course.seed());
    }

    Phases phases() {
        return course.phases();
    }

    long seed() {
        return course.seed();
    }

    /** Bytes that all messages of a run take on a disk, generously. */
    long diskBytes() {
        double perMessage = payload.doubleValue() + 128;
        double seconds = (course.warmup().toNanos() + course.duration().toNanos()) / 1e9;
        double topics = instances.doubleValue() * (services.doubleValue() + 1);
        double frames = seconds
                * (rate.isMax() ? SATURATED_FRAMES : topics * rate.perSecond().doubleValue());
        return (long) (frames * perMessage + topics * (1 << 20));
    }
}
