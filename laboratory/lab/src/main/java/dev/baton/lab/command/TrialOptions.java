package dev.baton.lab.command;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.SizeConverter;
import java.math.BigDecimal;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * How long a chain and its messages are, and how long a trial lasts: options of every command that measures chains. A
 * command with other defaults names them in a default value provider.
 */
public class TrialOptions {
    /** Of all topics together, per second; Chronicle was seen to write 5 million of 45 bytes on two cores, which is less. */
    private static final double SATURATED_FRAMES = 3_000_000;

    private static final Duration QUICK_WARMUP = Duration.ofSeconds(3);
    private static final Duration QUICK_DURATION = Duration.ofSeconds(10);

    @Option(
            names = "--services",
            paramLabel = "N",
            defaultValue = "5",
            description = "services in each chain, 1 to " + Shape.MOST_SERVICES + " (default: ${DEFAULT-VALUE})")
    private BigDecimal services;

    @Option(
            names = "--payload",
            paramLabel = "BYTES",
            defaultValue = "0",
            converter = SizeConverter.class,
            description = "bytes behind the 40-byte header of each message (default: ${DEFAULT-VALUE})")
    private BigDecimal payload;

    @Mixin
    private CourseOptions course;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** The shape of so many chains. */
    public final Shape shape(int instances) {
        return new Shape(
                Checks.integer("--services", services, 1, Shape.MOST_SERVICES),
                instances,
                Checks.bytes("--payload", payload, 0, Integer.MAX_VALUE));
    }

    /** As typed, shorter for exploratory trials. */
    public final Phases phases() {
        return course.phases(command, quickWarmup(), quickDuration());
    }

    /** Whether one of the command's options was typed, and is not its default. */
    public final boolean isTyped(String option) {
        return CourseOptions.isTyped(command, option);
    }

    public final Load load(BigDecimal perSecond) {
        return course.load(perSecond);
    }

    /** The warm-up of exploratory trials. */
    public Duration quickWarmup() {
        return QUICK_WARMUP;
    }

    /** What exploratory trials measure. */
    public Duration quickDuration() {
        return QUICK_DURATION;
    }

    public final long seed() {
        return course.seed();
    }

    public final boolean isQuick() {
        return course.isQuick();
    }

    /**
     * Bytes that all messages of a run take on a disk, generously.
     *
     * @param instances that write
     * @param ratePerSecond of each; null for as many as go through
     */
    public final long diskBytes(double instances, Double ratePerSecond) {
        Phases phases = phases();
        double perMessage = payload.doubleValue() + 128;
        double seconds = (phases.warmupNanos() + phases.measureNanos()) / 1e9;
        double topics = instances * (services.doubleValue() + 1);
        double frames = seconds * (ratePerSecond == null ? SATURATED_FRAMES : topics * ratePerSecond);
        return (long) (frames * perMessage + topics * (1 << 20));
    }
}
