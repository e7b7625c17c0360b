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
import dev.baton.spi.Frame;
import dev.baton.spi.options.ByteSize;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The options of {@code transit} alone: the messages of the topic, the duration, and the CPUs. */
final class TransitOptions {
    private static final Duration LONGEST_FLOOR = Duration.ofHours(1);

    private static final Duration QUICK_WARMUP = Duration.ofSeconds(2);
    private static final Duration QUICK_DURATION = Duration.ofSeconds(10);
    private static final Duration QUICK_FLOOR = Duration.ofSeconds(1);

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
                    "after each trial, measure in its JVM for this time how fast one thread hands a number to another without a transport, the lower bound; 0s: do not (default: ${DEFAULT-VALUE})")
    private Duration floor;

    @Mixin
    private ArrivalOptions arrivals;

    @Mixin
    CourseOptions course;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** The bytes of a message, with its header. */
    int sizeBytes() {
        require(
                size.compareTo(BigDecimal.valueOf(Frame.HEADER_BYTES)) >= 0,
                "--size " + size.toPlainString() + " is less than a message's header; " + Frame.HEADER_BYTES
                        + " bytes are the least");
        return Checks.bytes("--size", size, Frame.HEADER_BYTES, Integer.MAX_VALUE);
    }

    Load load() {
        return arrivals.of(course.load(rate));
    }

    Phases phases() {
        return course.phases(command, QUICK_WARMUP, QUICK_DURATION);
    }

    TransitStudy study() {
        boolean isQuickFloor = course.isQuick() && !CourseOptions.isTyped(command, "--floor");
        Duration length = isQuickFloor ? QUICK_FLOOR : floor;
        Checks.time("--floor", length, Duration.ZERO, LONGEST_FLOOR);
        return new TransitStudy(length.toNanos(), pins());
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

    /** Reads sizes in bytes as {@link ByteSize} does: {@code 256}, {@code 4k}, {@code 64m}. Stateless, thread-safe. */
    static final class SizeConverter implements ITypeConverter<BigDecimal> {
        @Override
        public BigDecimal convert(String text) {
            try {
                return BigDecimal.valueOf(ByteSize.parse(text));
            } catch (IllegalArgumentException malformed) {
                throw new TypeConversionException(malformed.getMessage());
            }
        }
    }
}
