package dev.baton.lab.study.transit;

import static dev.baton.operations.line.Checks.require;

import dev.baton.lab.command.CourseOptions;
import dev.baton.lab.command.load.ArrivalOptions;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.measuring.machine.Cores;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import dev.baton.operations.options.SizeConverter;
import dev.baton.spi.Frame;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of {@code transit} alone: the messages of the topic, the duration, and the CPUs. */
final class TransitOptions {
    private static final Duration LONGEST_FLOOR = Duration.ofHours(1);

    /** The times of a shorter trial. */
    private record Times(Duration warmup, Duration duration, Duration floor) {
        static final Times QUICK = new Times(Duration.ofSeconds(2), Duration.ofSeconds(10), Duration.ofSeconds(1));
        /** The times of each point of a sweep. */
        static final Times POINT = new Times(Duration.ofSeconds(2), Duration.ofSeconds(5), Duration.ofSeconds(1));
        /** The times of each point of a quick sweep. */
        static final Times QUICK_POINT =
                new Times(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofMillis(500));
    }

    record Point(BigDecimal rate, int sizeBytes) {
        int payloadBytes() {
            return sizeBytes - Frame.HEADER_BYTES;
        }
    }

    @OptionGroup(Heading.LOAD)
    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "256",
            converter = SizeConverter.class,
            description = {
                "bytes of a message (default: ${DEFAULT-VALUE})",
                "including the header of " + Frame.HEADER_BYTES + " bytes, which every engine carries"
            })
    private BigDecimal size;

    @OptionGroup(Heading.LOAD)
    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "100k",
            description = {"messages per second (default: ${DEFAULT-VALUE})", "such as 1000, 0.5 or 100k"})
    private BigDecimal rate;

    @OptionGroup(Heading.WHERE)
    @Option(
            names = "--pin",
            paramLabel = "CPU,CPU",
            split = ",",
            hideParamSyntax = true,
            description = {"CPU of the sender and of the receiver", "default: not bound"})
    private List<BigDecimal> cpus = List.of();

    @Option(
            names = "--floor",
            paramLabel = "TIME",
            defaultValue = "3s",
            description =
                    "duration of the measurement of a bare hand-over of one number after each trial, in its JVM; 0s: none (default: ${DEFAULT-VALUE})")
    private Duration floor;

    @Mixin
    private ArrivalOptions arrivals;

    @Mixin
    CourseOptions course;

    @OptionGroup(Heading.LOAD)
    @Option(
            names = "--sweep",
            paramLabel = "GRID",
            converter = Sweep.Converter.class,
            description = {
                "a grid such as rate=1k..1m,size=64..4096",
                "each point is a trial, by default with --warmup 2s, --duration 5s and --floor 1s: " + Sweep.STEPS
            })
    Sweep sweep; // null: one point

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** The points to measure, by rate and then by size; one when there is no sweep. */
    List<Point> points() {
        List<BigDecimal> rates = sweep != null && sweep.rates() != null ? sweep.rates() : List.of(rate);
        List<BigDecimal> sizes = sweep != null && sweep.sizes() != null ? sweep.sizes() : List.of(size);
        return rates.stream()
                .flatMap(each -> sizes.stream().map(bytes -> point(each, bytes)))
                .toList();
    }

    private static Point point(BigDecimal rate, BigDecimal size) {
        require(
                size.compareTo(BigDecimal.valueOf(Frame.HEADER_BYTES)) >= 0,
                "--size " + size.toPlainString() + " is less than a message's header; " + Frame.HEADER_BYTES
                        + " bytes are the least");
        return new Point(rate, Checks.bytes("--size", size, Frame.HEADER_BYTES, Integer.MAX_VALUE));
    }

    Load load(Point point) {
        return arrivals.of(course.load(point.rate()));
    }

    Phases phases() {
        Times shorter = shorter();
        return course.phases(
                shorter == null || CourseOptions.isTyped(command, "--warmup") ? course.warmup() : shorter.warmup(),
                shorter == null || CourseOptions.isTyped(command, "--duration")
                        ? course.duration()
                        : shorter.duration());
    }

    TransitStudy study() {
        Times shorter = shorter();
        Duration length = shorter == null || CourseOptions.isTyped(command, "--floor") ? floor : shorter.floor();
        Checks.time("--floor", length, Duration.ZERO, LONGEST_FLOOR);
        return new TransitStudy(length.toNanos(), pins());
    }

    private Times shorter() {
        if (sweep != null) {
            return course.isQuick() ? Times.QUICK_POINT : Times.POINT;
        }
        return course.isQuick() ? Times.QUICK : null;
    }

    private List<Integer> pins() {
        if (cpus.isEmpty()) {
            return List.of();
        }
        require(cpus.size() == 2, "--pin takes two CPUs, such as --pin 0,1, and not " + cpus.size());
        BitSet allowed = Cores.allowed();
        List<Integer> pins = cpus.stream()
                .map(cpu -> Checks.integer("--pin", cpu, 0, Math.max(0, allowed.length() - 1)))
                .toList();
        pins.forEach(cpu -> require(
                allowed.get(cpu),
                "--pin " + cpu + ": this process may not run on that CPU; it may on " + Cores.text(allowed)));
        require(
                !pins.get(0).equals(pins.get(1)),
                "--pin " + pins.get(0) + "," + pins.get(1) + ": two threads that spin on one CPU wait for each other;"
                        + " name two different ones");
        return pins;
    }
}
